package org.overlaytrie.conformance.matrix;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The {@code @Upholds} and {@code @Checks} marks in the project's sources, and the names of the
 * runnable checks. Read from the sources, not from compiled classes, so that the result is the same
 * whatever has been built, and so that no class of a deleted source counts.
 *
 * @param marks every mark, by file and position
 * @param runtimeChecks the methods of {@code org.overlaytrie.spec.Invariants}
 */
record SourceMarks(List<Mark> marks, Set<String> runtimeChecks) {

  private static final String INVARIANTS = "Invariants";
  private static final Pattern FIXTURE = Pattern.compile("@Tag\\((value = )?\"fixture\"\\)");
  private static final String INVARIANTS_CLASS = "org.overlaytrie.spec.Invariants";

  /** Which annotation a mark is. */
  enum Kind {
    UPHOLDS("Upholds"),
    CHECKS("Checks");

    private final String annotation;

    Kind(String annotation) {
      this.annotation = annotation;
    }

    private static Optional<Kind> of(AnnotationTree annotation) {
      String type = annotation.getAnnotationType().toString();
      String simple = type.substring(type.lastIndexOf('.') + 1);
      return Stream.of(values()).filter(kind -> kind.annotation.equals(simple)).findFirst();
    }
  }

  /**
   * One invariant named by one annotation.
   *
   * @param path the file, relative to the project's root, with slashes
   * @param className the binary name of the class
   * @param member the method or field that is marked; empty if the class is
   * @param callsInvariants whether the file uses the runnable checks
   */
  record Mark(
      Kind kind,
      String invariant,
      String path,
      String className,
      Optional<String> member,
      boolean callsInvariants) {

    /** {@code Class} or {@code Class#member}, with the binary name of the class. */
    String element() {
      return member.map(name -> className + "#" + name).orElse(className);
    }
  }

  /** Reads the Java sources of every module, {@code <module>/src/<set>/java} below the root. */
  static SourceMarks scan(Path root) throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.walk(root, 3)) {
      sources =
          files
              .filter(path -> path.endsWith("src/main") || path.endsWith("src/test"))
              .map(path -> path.resolve("java"))
              .filter(Files::isDirectory)
              .sorted()
              .toList();
    }
    List<Path> files = new ArrayList<>();
    for (Path directory : sources) {
      try (Stream<Path> tree = Files.walk(directory)) {
        tree.filter(file -> file.toString().endsWith(".java")).sorted().forEach(files::add);
      }
    }
    return parse(root, files);
  }

  private static SourceMarks parse(Path root, List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Mark> marks = new ArrayList<>();
    Set<String> runtimeChecks = new TreeSet<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  diagnostic -> {
                    throw new IllegalArgumentException(diagnostic.toString());
                  },
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(sources));
      for (CompilationUnitTree unit : task.parse()) {
        Path file = Path.of(unit.getSourceFile().toUri());
        Scanner scanner = new Scanner(unit, relative(root, file));
        scanner.scan(unit, null);
        marks.addAll(scanner.finishedMarks());
        runtimeChecks.addAll(scanner.runtimeChecks);
      }
    }
    return new SourceMarks(marks, runtimeChecks);
  }

  private static String relative(Path root, Path file) {
    return root.toAbsolutePath().relativize(file).toString().replace(File.separatorChar, '/');
  }

  private static final class Scanner extends TreeScanner<Void, Void> {

    private final String path;
    private final String packagePrefix;
    private final Deque<String> classes = new ArrayDeque<>();
    private final List<Mark> marks = new ArrayList<>();
    private final Set<String> runtimeChecks = new TreeSet<>();
    private boolean callsInvariants;

    Scanner(CompilationUnitTree unit, String path) {
      this.path = path;
      ExpressionTree packageName = unit.getPackageName();
      this.packagePrefix = packageName == null ? "" : packageName + ".";
    }

    /** Whether the file uses the runnable checks is known only at its end. */
    List<Mark> finishedMarks() {
      return marks.stream()
          .map(
              mark ->
                  new Mark(
                      mark.kind(),
                      mark.invariant(),
                      mark.path(),
                      mark.className(),
                      mark.member(),
                      callsInvariants))
          .toList();
    }

    @Override
    public Void visitClass(ClassTree tree, Void unused) {
      if (isFixture(tree)) {
        return null;
      }
      String outer = classes.peek();
      String simpleName = tree.getSimpleName().toString();
      classes.push(outer == null ? packagePrefix + simpleName : outer + "$" + simpleName);
      collect(tree.getModifiers(), Optional.empty());
      super.visitClass(tree, null);
      classes.pop();
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void unused) {
      if (INVARIANTS_CLASS.equals(classes.peek())) {
        runtimeChecks.add(tree.getName().toString());
      }
      collect(tree.getModifiers(), Optional.of(tree.getName().toString()));
      return super.visitMethod(tree, null);
    }

    @Override
    public Void visitVariable(VariableTree tree, Void unused) {
      collect(tree.getModifiers(), Optional.of(tree.getName().toString()));
      return super.visitVariable(tree, null);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void unused) {
      callsInvariants |= tree.getName().contentEquals(INVARIANTS);
      return super.visitIdentifier(tree, null);
    }

    /** Tests that other tests run; what they claim to check is made up. */
    private static boolean isFixture(ClassTree tree) {
      return tree.getModifiers().getAnnotations().stream()
          .map(AnnotationTree::toString)
          .anyMatch(FIXTURE.asMatchPredicate());
    }

    private void collect(ModifiersTree modifiers, Optional<String> member) {
      for (AnnotationTree annotation : modifiers.getAnnotations()) {
        Kind.of(annotation)
            .ifPresent(
                kind ->
                    annotation
                        .getArguments()
                        .forEach(argument -> add(kind, value(argument), member)));
      }
    }

    private static ExpressionTree value(ExpressionTree argument) {
      return argument instanceof AssignmentTree assignment ? assignment.getExpression() : argument;
    }

    private void add(Kind kind, ExpressionTree value, Optional<String> member) {
      if (value instanceof NewArrayTree array) {
        array.getInitializers().forEach(element -> add(kind, element, member));
      } else if (value instanceof LiteralTree literal
          && literal.getValue() instanceof String invariant) {
        marks.add(new Mark(kind, invariant, path, classes.peek(), member, false));
      } else {
        throw new IllegalArgumentException(
            path + ": @" + kind.annotation + " takes string literals only, not " + value);
      }
    }
  }
}
