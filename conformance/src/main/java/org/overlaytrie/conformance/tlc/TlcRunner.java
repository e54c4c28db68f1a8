package org.overlaytrie.conformance.tlc;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.overlaytrie.conformance.cli.ChildJvm;
import org.overlaytrie.conformance.cli.LineTail;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.conformance.report.ModelResult.Verdict;

/**
 * Runs TLC in a process of its own. Several runs may go on side by side if their work directories
 * differ: TLC unpacks modules into the temporary directory, where two of them would meet.
 */
public final class TlcRunner {

  private static final Duration POLL = Duration.ofMillis(200);

  private TlcRunner() {}

  /**
   * Runs one job.
   *
   * @param work a directory of the run's own for the log and TLC's files
   * @param distinctStates is told, now and then, how many distinct states are found so far
   */
  public static TlcOutcome run(TlcJob job, Path work, LongConsumer distinctStates)
      throws IOException, InterruptedException {
    Path temporary = Files.createDirectories(work.resolve("tmp").toAbsolutePath());
    Path log = work.resolve("tlc.log");
    TlcOutput output = new TlcOutput(new ActionNames(job.directory()));
    LineTail tail = new LineTail(log);
    long startNanos = System.nanoTime();
    try (ChildJvm tlc = start(job, work, temporary, log)) {
      boolean ended = false;
      while (!ended && System.nanoTime() - startNanos < job.timeout().toNanos()) {
        ended = tlc.awaitExit(POLL);
        tail.next().forEach(output::read);
        distinctStates.accept(output.distinct());
      }
      tail.rest().forEach(output::read);
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      Verdict verdict = ended ? output.verdict(tlc.exitStatus()) : Verdict.ERROR;
      String error = null;
      if (verdict == Verdict.ERROR) {
        error =
            ended
                ? "TLC ended with exit status " + tlc.exitStatus() + "\n" + output.complaint()
                : "killed after " + job.timeout().toSeconds() + " s";
      }
      return new TlcOutcome(
          verdict,
          verdict == Verdict.VIOLATED ? output.property() : null,
          output.generated(),
          output.distinct(),
          output.depth(),
          output.actions(),
          output.counterexample(),
          error,
          seconds,
          log);
    }
  }

  private static ChildJvm start(TlcJob job, Path work, Path temporary, Path log)
      throws IOException {
    List<Path> classPath = new ArrayList<>(job.overrides());
    classPath.add(jar());
    // Liveness is checked once, at the end of the search.
    List<String> arguments = new ArrayList<>(List.of("-tool", "-lncheck", "final"));
    if (!job.tlcOptions().contains("-workers")) {
      arguments.addAll(List.of("-workers", "1"));
    }
    arguments.addAll(job.tlcOptions());
    arguments.addAll(List.of("-metadir", work.resolve("states").toAbsolutePath().toString()));
    arguments.addAll(List.of("-config", job.config().toAbsolutePath().toString(), job.module()));
    return new ChildJvm.Builder()
        .options(List.of("-XX:+UseParallelGC", "-Djava.io.tmpdir=" + temporary))
        .options(job.jvmOptions())
        .classPath(classPath)
        .main("tlc2.TLC")
        .arguments(arguments)
        .directory(job.directory())
        .start(log);
  }

  /** The jar that the environment names, or else the one that this program was built with. */
  private static Path jar() {
    String named = System.getenv("TLA2TOOLS_JAR");
    if (named == null) {
      try {
        return Path.of(tlc2.TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }
    Path jar = Path.of(named).toAbsolutePath();
    if (!Files.isRegularFile(jar)) {
      throw new UsageException("TLA2TOOLS_JAR names no file: " + named);
    }
    return jar;
  }
}
