package org.overlaytrie.conformance.testjvm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.overlaytrie.conformance.cli.Names;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.TestResult;

/**
 * A stage that is made of the JUnit tests of one module.
 *
 * @param stage the stage's name
 * @param module the module, e.g. {@code impl}
 * @param tags if not empty, only tests with one of these tags
 * @param excludedTags no tests with one of these tags
 * @param jvmOptions options of the tests' JVM
 * @param timeout for all tests together
 */
public record ModuleTests(
    String stage,
    String module,
    List<String> tags,
    List<String> excludedTags,
    List<String> jvmOptions,
    Duration timeout) {

  /** Tests that only other tests run carry this tag; no stage includes them. */
  private static final String FIXTURE = "fixture";

  /** Copies the lists. */
  public ModuleTests {
    tags = List.copyOf(tags);
    excludedTags = List.copyOf(excludedTags);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Whether the name, {@code Class} or {@code Class#method}, is of a test class of this module. */
  public boolean has(StageContext context, String name) {
    int hash = name.indexOf('#');
    String type = hash < 0 ? name : name.substring(0, hash);
    return Files.exists(testClasses(context).resolve(type.replace('.', '/') + ".class"));
  }

  /**
   * Runs the tests that are named, all of the module's if none is.
   *
   * @throws UsageException if a name is not that of a test of this module with fitting tags
   */
  public StageResult run(StageContext context, List<String> names)
      throws IOException, InterruptedException {
    for (String name : names) {
      if (!has(context, name)) {
        throw unknownClass(name, names(context));
      }
    }
    TestSelection selection =
        names.isEmpty() ? TestSelection.root(testClasses(context)) : TestSelection.named(names);
    List<String> excluded = new ArrayList<>(excludedTags);
    excluded.add(FIXTURE);
    selection =
        selection
            .withTags(tags.toArray(String[]::new))
            .withoutTags(excluded.toArray(String[]::new));
    TestRun run =
        new TestJvm(
                context.checkout().testClassPath(module),
                jvmOptions,
                context.checkout().root().resolve(module),
                context.work().resolve(module),
                timeout)
            .run(selection, progress(context));
    for (Map.Entry<String, List<String>> name : run.selectNothing().entrySet()) {
      String problem = "The stage " + stage + " has no test " + name.getKey();
      throw Names.unknown(problem, name.getKey(), name.getValue());
    }
    return result(run);
  }

  /** What to tell a user who named a test class that does not exist. */
  public static UsageException unknownClass(String name, Collection<String> known) {
    return Names.unknown("There is no test class " + name, name, known);
  }

  /** The names of this module's test classes. */
  public List<String> names(StageContext context) throws IOException {
    Path root = testClasses(context);
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith("Test.class"))
          .map(
              file ->
                  file.substring(0, file.length() - ".class".length())
                      .replace(File.separatorChar, '.'))
          .toList();
    }
  }

  private Path testClasses(StageContext context) {
    return context.checkout().root().resolve(module).resolve("target").resolve("test-classes");
  }

  private Consumer<TestResult> progress(StageContext context) {
    AtomicInteger ended = new AtomicInteger();
    return test -> {
      if (test.status() == TestResult.Status.FAILED) {
        context.progress().note("FAILED " + test.id() + " " + test.displayName());
      }
      context
          .progress()
          .step(String.format("%s %,d tests, %s", module, ended.incrementAndGet(), test.id()));
    };
  }

  private StageResult result(TestRun run) {
    List<Failure> failures = new ArrayList<>();
    String rerun = "./verify.sh " + stage + " ";
    for (TestResult test : run.failed()) {
      String name = test.method().equals("*") ? test.className() : test.id();
      failures.add(
          new Failure(
              name + " " + test.displayName(),
              (test.message() == null ? "" : test.message()) + seed(test),
              rerun + (name.contains("#") ? "'" + name + "'" : name)));
    }
    if (run.problem() != null) {
      String what = module + ": " + run.problem().lines().findFirst().orElse("");
      failures.add(new Failure(what, run.problem() + "\nlog: " + run.log(), rerun.strip()));
    }
    return StageResult.of(failures, run.tests().stream().map(test -> test.in(stage)).toList());
  }

  private static String seed(TestResult test) {
    String seed = test.entries().get("seed");
    return seed == null ? "" : "\nseed " + seed;
  }
}
