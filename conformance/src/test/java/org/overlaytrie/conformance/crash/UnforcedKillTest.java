package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.overlaytrie.CheckpointPolicy;
import org.overlaytrie.Codecs;
import org.overlaytrie.Durability;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.spec.Checks;

/**
 * A process that writes without waiting, syncs now and then and tells its parent so, and is killed
 * with SIGKILL on a real disk. What it leaves are its first writes, in their order, all that a sync
 * covered among them. {@code -Doverlaytrie.seed} changes the moments.
 */
@Tag("crash")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Checks("BufferedCommit!SyncedIsDurableInv")
class UnforcedKillTest {
  private static final int KILLS = 3;
  private static final int SIGKILLED = 128 + 9;
  private static final Options OPTIONS =
      Options.defaults()
          .withWalSegmentBytes(1 << 17)
          .withImageSegmentBytes(1 << 16)
          .withCheckpoints(CheckpointPolicy.manual().withChanges(2_000));

  private final long seed = Long.getLong("overlaytrie.seed", 20_261_130L);

  @TempDir Path work;

  static List<Durability> durabilities() {
    return List.of(Durability.NONE, Durability.periodic(Duration.ofMillis(20)));
  }

  @ParameterizedTest
  @MethodSource("durabilities")
  void whatASyncCoveredOutlivesSigkill(Durability durability, TestReporter reporter)
      throws IOException, InterruptedException {
    Random random = new Random(seed);
    long synced = 0;
    long written = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      synced = runAndKill(durability, written + 1 + random.nextInt(40_000));
      try (OverlayTrie<Long, Long> store =
          OverlayTrie.open(work.resolve("store"), Codecs.longs(), Codecs.longs(), OPTIONS)) {
        written = store.size();
        assertThat(written).as("seed %d, kill %d", seed, kill).isGreaterThanOrEqualTo(synced);
        assertThat(store.lastKey()).as("the last of the first writes").isEqualTo(written);
        for (Map.Entry<Long, Long> entry : store.entrySet()) {
          assertThat(entry.getValue()).isEqualTo(entry.getKey() * 2);
        }
      }
    }
    reporter.publishEntry(
        Map.of("kills", Integer.toString(KILLS), "acknowledged", Long.toString(synced)));
  }

  /** Lets a process write until it told of a sync of so many writes; what it told last. */
  private long runAndKill(Durability durability, long target)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile(work, "errors", "");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                UnforcedKillTest.class.getName(),
                work.resolve("store").toString(),
                durability.mode().name(),
                durability.delay().toString())
            .redirectError(errors.toFile())
            .start();
    long told = 0;
    try (DataInputStream output = new DataInputStream(child.getInputStream())) {
      while (true) {
        told = output.readLong();
        if (told >= target) {
          child.toHandle().destroyForcibly(); // unlike Process, leaves the pipe open
        }
      }
    } catch (EOFException end) {
      // It is gone.
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.waitFor()).as(Files.readString(errors)).isEqualTo(SIGKILLED);
    return told;
  }

  /** The process: puts n under n, from the first that is not there on, and syncs now and then. */
  public static void main(String[] arguments) throws IOException {
    Durability durability =
        new Durability(Durability.Mode.valueOf(arguments[1]), Duration.parse(arguments[2]));
    OverlayTrie<Long, Long> store =
        OverlayTrie.open(
            Path.of(arguments[0]),
            Codecs.longs(),
            Codecs.longs(),
            OPTIONS.withDurability(durability));
    try (DataOutputStream parent = new DataOutputStream(new FileOutputStream(FileDescriptor.out))) {
      for (long key = store.size() + 1L; ; key++) {
        store.put(key, key * 2);
        if (key % 997 == 0) {
          store.sync();
          parent.writeLong(key);
        }
      }
    }
  }
}
