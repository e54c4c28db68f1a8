package org.overlaytrie.conformance.testjvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.overlaytrie.conformance.cli.ChildJvm;
import org.overlaytrie.conformance.cli.LineTail;
import org.overlaytrie.conformance.report.Json;
import org.overlaytrie.conformance.report.TestResult;

/**
 * Runs JUnit tests in a JVM of their own, which is killed with its descendants when its time is
 * over.
 *
 * @param classPath where the tests and all they need are found, JUnit and this project's {@code
 *     conformance} classes included; earlier entries hide later ones
 * @param jvmOptions options of the JVM, e.g. {@code -Xmx512m}
 * @param directory the working directory of the tests: their module's
 * @param work a directory for the log and the events; created if missing
 * @param timeout for all tests together
 */
public record TestJvm(
    List<Path> classPath, List<String> jvmOptions, Path directory, Path work, Duration timeout) {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final int LOG_LINES = 30;

  /** Copies the lists. */
  public TestJvm {
    classPath = List.copyOf(classPath);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /**
   * Runs the selected tests. The listener gets each result as soon as the test has ended, on the
   * calling thread.
   */
  public TestRun run(TestSelection selection, Consumer<TestResult> listener)
      throws IOException, InterruptedException {
    Files.createDirectories(work);
    Path selected = work.resolve("selection.json");
    Path log = work.resolve("tests.log");
    Path events = work.resolve("events.jsonl");
    Json.write(selected, selection);
    Files.deleteIfExists(events);

    Run run = new Run(listener);
    LineTail tail = new LineTail(events);
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    try (ChildJvm child = start(selected, events, log)) {
      boolean ended = false;
      while (!ended && System.nanoTime() < deadlineNanos) {
        ended = child.awaitExit(POLL);
        run.read(tail.next());
      }
      if (!ended) {
        return run.timedOut(timeout, log);
      }
      run.read(tail.rest());
      return run.ended(child.exitStatus(), selection, log);
    }
  }

  private ChildJvm start(Path selected, Path events, Path log) throws IOException {
    return new ChildJvm.Builder()
        .options(jvmOptions)
        .classPath(classPath)
        .main(TestMain.class.getName())
        .arguments(List.of(selected.toString(), events.toString()))
        .directory(directory)
        .start(log);
  }

  /** What is known so far. */
  private static final class Run {
    private final Consumer<TestResult> listener;
    private final List<TestResult> results = new ArrayList<>();
    private final Map<String, TestResult> running = new LinkedHashMap<>();
    private final Map<String, List<String>> selectNothing = new LinkedHashMap<>();
    private boolean done;

    Run(Consumer<TestResult> listener) {
      this.listener = listener;
    }

    void read(List<String> lines) throws IOException {
      for (String line : lines) {
        TestEvent event = Json.read(line, TestEvent.class);
        switch (event.kind()) {
          case STARTED -> running.put(event.id(), event.test());
          case ENDED -> {
            running.remove(event.id());
            add(event.test());
          }
          case SELECTS_NOTHING -> selectNothing.put(event.id(), event.known());
          case DONE -> done = true;
        }
      }
    }

    TestRun timedOut(Duration timeout, Path log) {
      String problem = "killed after " + timeout.toSeconds() + " s";
      failRunning(problem);
      return new TestRun(List.copyOf(results), problem, true, selectNothing, log);
    }

    TestRun ended(int exitStatus, TestSelection selection, Path log) throws IOException {
      String problem = null;
      if (!done) {
        problem = "the JVM ended with exit status " + exitStatus + "\n" + lastLines(log);
        failRunning(problem);
      } else if (!selectNothing.isEmpty()) {
        problem = "no test is called " + String.join(", ", selectNothing.keySet());
      } else if (results.isEmpty()) {
        problem = "no test matches " + Json.line(selection);
      }
      return new TestRun(List.copyOf(results), problem, false, selectNothing, log);
    }

    private void failRunning(String message) {
      for (TestResult test : running.values()) {
        add(
            new TestResult(
                test.stage(),
                test.className(),
                test.method(),
                test.displayName(),
                TestResult.Status.FAILED,
                test.seconds(),
                message,
                test.entries(),
                test.tags(),
                test.checks()));
      }
    }

    private void add(TestResult test) {
      results.add(test);
      listener.accept(test);
    }
  }

  private static String lastLines(Path log) throws IOException {
    List<String> lines = new LineTail(log).rest();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
  }
}
