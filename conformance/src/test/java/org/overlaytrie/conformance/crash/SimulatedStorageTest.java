package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.overlaytrie.conformance.crash.Operation.Kind;
import org.overlaytrie.storage.StorageFile;

@Tag("crash")
class SimulatedStorageTest {
  private static final int SECTOR = CachedFile.SECTOR;

  @Test
  void forcedBytesSurviveEveryCrash() throws IOException {
    SimulatedStorage storage = new SimulatedStorage();
    StorageFile file = storage.create("a", 2 * SECTOR);
    file.write(10, new byte[] {1, 2, 3}, 0, 3);
    file.force();
    storage.forceDirectory();
    assertThat(storage.uncertain()).isZero();
    byte[] survived = storage.crash(index -> false).content("a");
    assertThat(survived).hasSize(2 * SECTOR).isEqualTo(storage.content("a"));
    assertThat(survived[11]).isEqualTo((byte) 2);
  }

  @Test
  void unforcedBytesSurviveInAnySubsetOfTheirSectors() throws IOException {
    SimulatedStorage storage = new SimulatedStorage();
    StorageFile file = durableFile(storage, "a", 3 * SECTOR);
    byte[] ones = new byte[2 * SECTOR];
    Arrays.fill(ones, (byte) 1);
    file.write(SECTOR / 2, ones, 0, ones.length);
    assertThat(storage.uncertain()).isEqualTo(3);
    Set<String> outcomes = new HashSet<>();
    for (int mask = 0; mask < 8; mask++) {
      byte[] content = storage.crash(keeping(mask)).content("a");
      String outcome = "";
      for (int sector = 0; sector < 3; sector++) {
        int first = Math.max(sector * SECTOR, SECTOR / 2);
        int end = Math.min((sector + 1) * SECTOR, SECTOR / 2 + 2 * SECTOR);
        for (int position = first; position < end; position++) {
          assertThat(content[position]).as("torn within a sector").isEqualTo(content[first]);
        }
        outcome += content[first];
      }
      outcomes.add(outcome);
    }
    assertThat(outcomes).hasSize(8);
  }

  @Test
  void aFileWhoseEntryWasNotForcedMayVanishThoughItsContentWas() throws IOException {
    SimulatedStorage storage = new SimulatedStorage();
    StorageFile file = storage.create("a", SECTOR);
    file.force();
    assertThat(storage.uncertain()).isEqualTo(1);
    assertThat(storage.crash(index -> false).names()).isEmpty();
    assertThat(storage.crash(index -> true).names()).containsExactly("a");
  }

  @Test
  void aFileWhoseEntryWasForcedMayBeShortUntilItsContentIsForced() throws IOException {
    SimulatedStorage storage = new SimulatedStorage();
    StorageFile file = storage.create("a", 4 * SECTOR);
    storage.forceDirectory();
    Set<Integer> lengths = new HashSet<>();
    for (int mask = 0; mask < 1 << storage.uncertain(); mask++) {
      lengths.add(storage.crash(keeping(mask)).content("a").length);
    }
    assertThat(lengths).containsExactlyInAnyOrder(0, 2 * SECTOR, 4 * SECTOR);
    file.force();
    assertThat(storage.crash(index -> false).content("a")).hasSize(4 * SECTOR);
  }

  @Test
  void aFileGrowsByWhatIsWrittenBeyondItsEndAndIsShorterAfterACrashUnlessForced()
      throws IOException {
    SimulatedStorage storage = new SimulatedStorage();
    StorageFile file = storage.create("a", 0);
    storage.forceDirectory();
    file.write(0, new byte[SECTOR], 0, SECTOR);
    file.force();
    file.write(3 * SECTOR, new byte[] {7}, 0, 1);
    assertThat(file.size()).isEqualTo(3 * SECTOR + 1);
    assertThat(storage.crash(index -> false).content("a")).hasSize(SECTOR);
    assertThat(storage.crash(index -> true).content("a")).hasSize(3 * SECTOR + 1);
    file.force();
    assertThat(storage.crash(index -> false).content("a")).hasSize(3 * SECTOR + 1).endsWith(7);
  }

  @Test
  void aFileCreatedAgainUnderAnOldNameLeavesTheOldOneInACrash() throws IOException {
    SimulatedStorage storage = new SimulatedStorage();
    StorageFile old = durableFile(storage, "a", SECTOR);
    old.write(0, new byte[] {7}, 0, 1);
    old.force();
    storage.delete("a");
    StorageFile fresh = storage.create("a", SECTOR);
    fresh.write(0, new byte[] {9}, 0, 1);
    fresh.force();
    assertThat(storage.crash(index -> false).content("a")[0]).isEqualTo((byte) 7);
    assertThat(storage.crash(index -> index == 0).names()).isEmpty();
    assertThat(storage.crash(index -> index == 1).content("a")[0]).isEqualTo((byte) 9);
    storage.forceDirectory();
    assertThat(storage.crash(index -> false).content("a")[0]).isEqualTo((byte) 9);
  }

  @Test
  void aKilledProcessLeavesEverythingWrittenButNotMoreDurable() throws IOException {
    SimulatedStorage storage = new SimulatedStorage();
    StorageFile file = durableFile(storage, "a", SECTOR);
    file.write(0, new byte[] {5}, 0, 1);
    storage.create("b", SECTOR);
    SimulatedStorage killed = storage.kill();
    assertThat(killed.names()).containsExactly("a", "b");
    assertThat(killed.content("a")[0]).isEqualTo((byte) 5);
    SimulatedStorage failed = killed.crash(index -> false);
    assertThat(failed.names()).containsExactly("a");
    assertThat(failed.content("a")[0]).isZero();
    killed.open("a").force();
    assertThat(killed.crash(index -> false).content("a")[0]).isEqualTo((byte) 5);
    assertThat(storage.crash(index -> false).content("a")[0])
        .as("the storage that was killed is not the one that went on")
        .isZero();
  }

  @Test
  void aFailedForceForgetsWhatALaterForceThenDoesNotKeep() throws IOException {
    SimulatedStorage storage = new SimulatedStorage(failing(Kind.FORCE, 1, Fault.DROPPED_PAGES));
    StorageFile file = durableFile(storage, "a", 2 * SECTOR);
    file.write(0, new byte[] {1}, 0, 1);
    assertThatThrownBy(file::force).isInstanceOf(IOException.class);
    file.write(SECTOR, new byte[] {2}, 0, 1);
    file.force();
    assertThat(storage.content("a")[0]).as("the cache still shows it").isEqualTo((byte) 1);
    byte[] without = storage.crash(index -> false).content("a");
    assertThat(without[0]).isZero();
    assertThat(without[SECTOR]).isEqualTo((byte) 2);
    assertThat(storage.crash(index -> true).content("a")[0]).isEqualTo((byte) 1);
    StorageFile again = storage.kill().open("a");
    again.force();
    SimulatedStorage rewritten = storage.kill();
    StorageFile third = rewritten.open("a");
    third.write(0, new byte[] {1}, 0, 1);
    third.force();
    assertThat(rewritten.crash(index -> false).content("a")[0])
        .as("only writing it again makes it durable")
        .isEqualTo((byte) 1);
  }

  @Test
  void whatWasForcedLaterIsNotHiddenByWhatAnEarlierForceForgot() throws IOException {
    SimulatedStorage storage = new SimulatedStorage(failing(Kind.FORCE, 1, Fault.DROPPED_PAGES));
    StorageFile file = durableFile(storage, "a", SECTOR);
    file.write(0, new byte[] {1, 1}, 0, 2);
    assertThatThrownBy(file::force).isInstanceOf(IOException.class);
    file.write(0, new byte[] {2}, 0, 1);
    file.force();
    assertThat(storage.crash(index -> true).content("a")).startsWith(2, 1);
    assertThat(storage.crash(index -> false).content("a")).startsWith(2, 0);
  }

  @Test
  void aFailedWriteLeavesItsFirstBytesOnly() throws IOException {
    SimulatedStorage storage =
        new SimulatedStorage(failing(Kind.WRITE, 0, Fault.inputOutputError(2)));
    StorageFile file = durableFile(storage, "a", SECTOR);
    assertThatThrownBy(() -> file.write(0, new byte[] {1, 2, 3}, 0, 3))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("simulated:/a");
    assertThat(storage.content("a")).startsWith(1, 2, 0);
  }

  @Test
  void aFullDeviceMayLeaveAShortFileBehind() throws IOException {
    SimulatedStorage nothing = new SimulatedStorage(failing(Kind.CREATE, 0, Fault.noSpace(0)));
    assertThatThrownBy(() -> nothing.create("a", SECTOR)).hasMessageContaining("no space left");
    assertThat(nothing.names()).isEmpty();
    SimulatedStorage part = new SimulatedStorage(failing(Kind.CREATE, 0, Fault.noSpace(100)));
    assertThatThrownBy(() -> part.create("a", SECTOR)).hasMessageContaining("no space left");
    assertThat(part.content("a")).hasSize(100);
  }

  @Test
  void nothingReachesTheDiskAfterTheCrash() throws IOException {
    SimulatedStorage storage = new SimulatedStorage(failing(Kind.WRITE, 1, Fault.CRASH));
    StorageFile file = durableFile(storage, "a", SECTOR);
    file.write(0, new byte[] {1}, 0, 1);
    assertThatThrownBy(() -> file.write(1, new byte[] {2}, 0, 1))
        .isInstanceOf(SimulatedCrash.class);
    assertThat(storage.crashed()).isTrue();
    assertThatThrownBy(file::force).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(storage::list).isInstanceOf(SimulatedCrash.class);
    assertThat(storage.crash(index -> false).content("a")).startsWith(0, 0);
    assertThat(storage.crash(index -> true).content("a")).startsWith(1, 0);
  }

  @Test
  void everySurvivorOfARandomExecutionIsOneThatTheReferenceAllows() throws IOException {
    long seed = Long.getLong("overlaytrie.seed", 20_261_130L);
    for (int run = 0; run < 300; run++) {
      Random random = new Random(seed + run);
      SimulatedStorage storage = new SimulatedStorage();
      Reference reference = new Reference();
      StorageFile file = durableFile(storage, "a", 4 * SECTOR);
      for (int step = 0; step < 12; step++) {
        if (random.nextInt(4) == 0) {
          file.force();
          reference.force();
        } else {
          int position = random.nextInt(4 * SECTOR - 200);
          byte[] bytes = new byte[1 + random.nextInt(200)];
          random.nextBytes(bytes);
          file.write(position, bytes, 0, bytes.length);
          reference.write(position, bytes);
        }
      }
      for (int crash = 0; crash < 8; crash++) {
        double share = random.nextDouble();
        byte[] content = storage.crash(index -> random.nextDouble() < share).content("a");
        assertThat(reference.explains(content)).as("seed %d", seed + run).isTrue();
      }
      assertThat(reference.explains(storage.content("a"))).isTrue();
    }
  }

  /**
   * What may be on the disk, byte by byte: the value last forced or any written since. Coarser than
   * the simulation (it forgets sectors), so it can only refuse what must not be.
   */
  private static final class Reference {
    private final TreeMap<Integer, Set<Byte>> possible = new TreeMap<>();
    private final byte[] latest = new byte[4 * SECTOR];

    void write(int position, byte[] bytes) {
      for (int i = 0; i < bytes.length; i++) {
        possible
            .computeIfAbsent(position + i, p -> new HashSet<>(List.of(latest[p])))
            .add(bytes[i]);
        latest[position + i] = bytes[i];
      }
    }

    void force() {
      possible.clear();
    }

    boolean explains(byte[] content) {
      for (int position = 0; position < content.length; position++) {
        Set<Byte> allowed = possible.getOrDefault(position, Set.of(latest[position]));
        if (!allowed.contains(content[position])) {
          return false;
        }
      }
      return content.length == latest.length;
    }
  }

  private static StorageFile durableFile(SimulatedStorage storage, String name, int size)
      throws IOException {
    StorageFile file = storage.create(name, size);
    file.force();
    storage.forceDirectory();
    return file;
  }

  /** Keeps the changes whose bits are set. */
  private static IntPredicate keeping(int mask) {
    return index -> (mask >>> index & 1) != 0;
  }

  /** Lets the operation of this kind fail that comes after {@code others} of them. */
  private static SimulatedStorage.Script failing(Kind kind, int others, Fault fault) {
    int[] seen = {0};
    return operation -> operation.kind() == kind && seen[0]++ == others ? fault : null;
  }
}
