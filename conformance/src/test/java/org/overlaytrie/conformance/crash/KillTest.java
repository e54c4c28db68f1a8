package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.conformance.cli.Directories;
import org.overlaytrie.spec.Checks;

/**
 * Puts the class names of the running JDK with eight threads in a process that is killed with
 * SIGKILL, on a real disk, again and again: after so many acknowledgements, or while it opens the
 * store. The last process puts every name. {@code -Doverlaytrie.seed} changes the moments, {@code
 * -Doverlaytrie.kills} their number.
 */
@Tag("crash")
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks({
  "SequencedCommit!AnsweredIsVisibleInv",
  "SequencedCommit!NoLostWriteInv",
  "SequencedCommit!NoInventedWriteInv"
})
class KillTest {
  private static final int THREADS = 8;
  private static final int SIGKILLED = 128 + 9;
  private static final int MOST_ACKNOWLEDGEMENTS = 3_000;

  /** No run takes nearly so long, unless it hangs. */
  private static final int MOST_MINUTES = 5;

  private final long seed = Long.getLong("overlaytrie.seed", 20_261_130L);
  private final Random random = new Random(seed);
  private final Path work = Path.of("target", "kill-" + ProcessHandle.current().pid());
  private final Path store = work.resolve("store");
  private final Path keyFile = work.resolve("keys");
  private final Path ledgerFile = work.resolve("ledger");
  private long acknowledged;
  private long checkpointLsn;

  @Test
  void anAcknowledgedPutOutlivesSigkill(TestReporter reporter)
      throws IOException, InterruptedException {
    int kills = Integer.getInteger("overlaytrie.kills", 20);
    Files.createDirectories(work);
    List<String> keys = classNames();
    assertThat(keys).hasSizeGreaterThan(10_000).doesNotHaveDuplicates();
    Files.write(keyFile, keys);
    KillLedger ledger = KillLedger.open(ledgerFile, keys);
    for (int run = 1; run <= kills; run++) {
      run(run, true, random.nextInt(keys.size()));
      if (random.nextBoolean()) { // otherwise the next child recovers what was killed
        reopen(reporter, ledger, run, run);
      }
    }
    run(kills + 1, false, 0);
    KillLedger.Findings findings = reopen(reporter, ledger, kills, kills + 1);
    assertThat(findings.entries()).isEqualTo(keys.size());
    assertThat(checkpointLsn).as("checkpoints were made meanwhile").isPositive();
    assertThat(acknowledged).isGreaterThan(keys.size() + 100L * kills);
    Directories.deleteTree(work);
  }

  private KillLedger.Findings reopen(TestReporter reporter, KillLedger ledger, int kills, int run) {
    KillLedger.Findings findings;
    try (OverlayTrie<String, String> reopened =
        OverlayTrie.open(store, Codecs.string(), Codecs.string(), KillChild.OPTIONS)) {
      findings = ledger.compare(reopened);
      checkpointLsn = reopened.checkpointStatus().checkpointLsn();
    }
    reporter.publishEntry(
        Map.of(
            "seed", Long.toString(seed),
            "kills", Integer.toString(kills),
            "acknowledged", Long.toString(acknowledged),
            "lost", Integer.toString(findings.lost().size()),
            "invented", Integer.toString(findings.invented().size())));
    assertThat(findings.lost()).as("lost, seed %d, run %d", seed, run).isEmpty();
    assertThat(findings.invented()).as("invented, seed %d, run %d", seed, run).isEmpty();
    return findings;
  }

  /** Runs the child, to be killed at a random moment or else to put every key. */
  private void run(int run, boolean killed, int firstKey) throws IOException, InterruptedException {
    boolean whileOpening = killed && random.nextInt(5) == 0;
    int target = killed ? 1 + random.nextInt(MOST_ACKNOWLEDGEMENTS) : -1;
    int awaited = whileOpening || !killed ? 0 : target;
    Path errors = work.resolve("errors-" + run);
    Process child = start(run, firstKey, errors);
    CompletableFuture.delayedExecutor(MOST_MINUTES, TimeUnit.MINUTES)
        .execute(child::destroyForcibly);
    int acknowledgements = 0;
    try (InputStream output = child.getInputStream()) {
      for (int told = output.read(); told >= 0; told = output.read()) {
        acknowledgements += told == KillChild.ACKNOWLEDGED ? 1 : 0;
        boolean opening = whileOpening && told == KillChild.OPENING;
        if (opening || acknowledgements == target) {
          child.toHandle().destroyForcibly(); // unlike Process, leaves the pipe open
        }
      }
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.waitFor())
        .as("exit status, seed %d, run %d: %s", seed, run, Files.readString(errors))
        .isEqualTo(killed ? SIGKILLED : 0);
    assertThat(acknowledgements).as("the child got stuck").isGreaterThanOrEqualTo(awaited);
    acknowledged += acknowledgements;
  }

  private Process start(int run, int first, Path errors) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-Xshare:auto",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            KillChild.class.getName(),
            store.toString(),
            keyFile.toString(),
            ledgerFile.toString(),
            Integer.toString(run),
            Integer.toString(THREADS),
            Integer.toString(first))
        .redirectError(errors.toFile())
        .start();
  }

  /** The names of all classes of the running JDK, in the order of its image. */
  private static List<String> classNames() throws IOException {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    try (Stream<Path> files = Files.walk(modules)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(file -> file.subpath(2, file.getNameCount()).toString())
          .filter(name -> !name.equals("module-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .distinct()
          .toList();
    }
  }
}
