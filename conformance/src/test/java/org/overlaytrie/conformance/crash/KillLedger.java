package org.overlaytrie.conformance.crash;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.overlaytrie.OverlayTrie;

/**
 * Which puts were attempted and which acknowledged, in a mapped file that outlives the process that
 * writes it. Every key is put again and again, in run after run, with a value that names the run;
 * no key is put twice in one run.
 */
final class KillLedger {
  private final List<String> keys;
  private final MappedByteBuffer map;

  private KillLedger(List<String> keys, MappedByteBuffer map) {
    this.keys = keys;
    this.map = map;
  }

  /** Opens the ledger of these keys, creating an empty one if there is none. */
  static KillLedger open(Path file, List<String> keys) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      return new KillLedger(
          keys, channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * Integer.BYTES * keys.size()));
    }
  }

  /** What a run puts under a key. */
  static String value(String key, int run) {
    return run + "#" + key;
  }

  String key(int index) {
    return keys.get(index);
  }

  int size() {
    return keys.size();
  }

  /** Notes that the run is about to put the key. */
  void attempt(int index, int run) {
    map.putInt(2 * Integer.BYTES * index, run);
  }

  /** Notes that the put of the key has returned in this run. */
  void acknowledge(int index, int run) {
    map.putInt(2 * Integer.BYTES * index + Integer.BYTES, run);
  }

  /** The last run that was about to put the key, 0 if none. */
  int attempted(int index) {
    return map.getInt(2 * Integer.BYTES * index);
  }

  /** The last run whose put of the key returned, 0 if none. */
  int acknowledged(int index) {
    return map.getInt(2 * Integer.BYTES * index + Integer.BYTES);
  }

  /** What is wrong with a store, by kind. */
  record Findings(int entries, List<String> lost, List<String> invented) {
    boolean none() {
      return lost.isEmpty() && invented.isEmpty();
    }
  }

  /** Compares the whole content of the store, its size and its order with the ledger. */
  Findings compare(OverlayTrie<String, String> store) {
    Map<String, String> content = new HashMap<>(ObservedStore.contentOf(store));
    int entries = content.size();
    List<String> lost = new ArrayList<>();
    List<String> invented = new ArrayList<>();
    for (int index = 0; index < keys.size(); index++) {
      String key = keys.get(index);
      String value = content.remove(key);
      int run = runOf(key, value);
      if (run < 0 || run > attempted(index)) {
        invented.add(key + " = " + value + ", put last by run " + attempted(index));
      } else if (run < acknowledged(index)) {
        lost.add(key + " = " + value + ", acknowledged by run " + acknowledged(index));
      }
    }
    content.forEach((key, value) -> invented.add(key + " = " + value + ", which nobody put"));
    return new Findings(entries, lost, invented);
  }

  /** The run that put this value under the key, 0 for none, -1 if no run puts such a value. */
  private static int runOf(String key, String value) {
    if (value == null) {
      return 0;
    }
    int mark = value.indexOf('#');
    return mark > 0
            && value.substring(0, mark).chars().allMatch(Character::isDigit)
            && value.substring(mark + 1).equals(key)
        ? Integer.parseInt(value.substring(0, mark))
        : -1;
  }
}
