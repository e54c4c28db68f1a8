package org.overlaytrie.conformance.mutants;

import com.github.difflib.patch.PatchFailedException;
import com.github.difflib.unifieddiff.UnifiedDiffFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.overlaytrie.conformance.cli.Directories;

/**
 * Compiles the store's sources with one mutant's patch applied. Every source is compiled, not only
 * the patched ones, so that a changed constant reaches the classes that inlined it. Thread-safe for
 * different mutants.
 */
final class MutantBuilder {

  private static final String RELEASE = "17";
  private static final String MODULE_DESCRIPTOR = "module-info.java";

  private final Path root;
  private final Path sources;
  private final Path workDirectory;
  private final JavaCompiler compiler;

  /**
   * @param root the directory that the patches' paths start from
   * @param sources the sources to compile, relative to {@code root}
   * @param workDirectory where each mutant gets a directory of its name
   */
  MutantBuilder(Path root, Path sources, Path workDirectory) {
    this.root = root;
    this.sources = root.resolve(sources);
    this.workDirectory = workDirectory;
    this.compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException("mutants need a JDK; this Java runtime has no compiler");
    }
  }

  /**
   * Builds the mutant and returns the directory of its classes. The repository's own files are not
   * touched.
   *
   * @throws StaleMutantException if the patch does not apply exactly (its place may have moved), if
   *     it changes nothing, or if the result does not compile
   */
  Path build(Mutant mutant) throws IOException, StaleMutantException {
    Path directory = workDirectory.resolve(mutant.name());
    Directories.deleteTree(directory);
    Path copy = directory.resolve("sources");
    copySources(copy);
    for (UnifiedDiffFile change : mutant.changes()) {
      apply(change, copy);
    }
    Path classes = Files.createDirectories(directory.resolve("classes"));
    compile(copy, classes);
    return classes;
  }

  private void copySources(Path copy) throws IOException {
    for (Path source : javaFiles(sources)) {
      Path target = copy.resolve(sources.relativize(source));
      Files.createDirectories(target.getParent());
      Files.copy(source, target);
    }
  }

  private void apply(UnifiedDiffFile change, Path copy) throws IOException, StaleMutantException {
    Path original = root.resolve(change.getToFile());
    Path target =
        original.startsWith(sources) ? copy.resolve(sources.relativize(original)) : original;
    if (!original.startsWith(sources) || !Files.exists(target)) {
      throw new StaleMutantException("there is no source " + change.getToFile());
    }
    List<String> before = Files.readAllLines(target);
    List<String> after;
    try {
      after = change.getPatch().applyFuzzy(before, 0);
    } catch (PatchFailedException e) {
      throw new StaleMutantException("the patch does not apply to " + change.getToFile());
    }
    if (after.equals(before)) {
      throw new StaleMutantException("the patch leaves " + change.getToFile() + " as it was");
    }
    Files.write(target, after);
  }

  private void compile(Path copy, Path classes) throws IOException, StaleMutantException {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8)) {
      boolean compiled =
          compiler
              .getTask(
                  null,
                  files,
                  diagnostics,
                  List.of("--release", RELEASE, "-proc:none", "-nowarn", "-d", classes.toString()),
                  null,
                  files.getJavaFileObjectsFromPaths(javaFiles(copy)))
              .call();
      if (!compiled) {
        throw new StaleMutantException(
            "the patched sources do not compile: " + errors(diagnostics));
      }
    }
  }

  private static String errors(DiagnosticCollector<JavaFileObject> diagnostics) {
    return diagnostics.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
        .collect(Collectors.joining("; "));
  }

  /** The sources but the module's descriptor: tests run on the class path. */
  private static List<Path> javaFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".java") && !file.endsWith(MODULE_DESCRIPTOR))
          .sorted()
          .toList();
    }
  }
}
