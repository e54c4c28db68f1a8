package org.overlaytrie.conformance.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The project's directory, with its build.
 *
 * @param root the directory of the parent POM, absolute
 */
public record Checkout(Path root) {

  /** Where everything that a run writes goes: {@code target/verify}. */
  public Path output() {
    return root.resolve("target").resolve("verify");
  }

  /** The specifications. */
  public Path specs() {
    return root.resolve("specs");
  }

  /**
   * The class path on which the tests of a module run: its test classes, its classes, and what both
   * depend on. The tests of {@code impl} run on the class path of {@code conformance}, which
   * depends on it.
   *
   * @throws UsageException if the module is not built
   */
  public List<Path> testClassPath(String module) {
    var paths = new LinkedHashSet<Path>();
    Path target = root.resolve(module).resolve("target");
    paths.add(target.resolve("test-classes"));
    paths.add(target.resolve("classes"));
    String lister = module.equals("impl") ? "conformance" : module;
    paths.add(root.resolve(lister).resolve("target").resolve("classes"));
    paths.addAll(dependencies(lister));
    return new ArrayList<>(paths);
  }

  private List<Path> dependencies(String module) {
    Path list = root.resolve(module).resolve("target").resolve("test-classpath.txt");
    try {
      return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
          .splitAsStream(Files.readString(list).strip())
          .map(Path::of)
          .toList();
    } catch (IOException e) {
      throw new UsageException(
          "The module " + module + " is not built (" + list + " is missing): run ./verify.sh");
    }
  }
}
