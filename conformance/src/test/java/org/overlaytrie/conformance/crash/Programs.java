package org.overlaytrie.conformance.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.overlaytrie.Codecs;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.ProtocolEvents;

/** What clients ask for in the small executions that are explored exhaustively. */
final class Programs {
  /** Segments so small that a few requests fill one. */
  static final Options TINY = Options.defaults().withWalSegmentBytes(4096);

  /** The keys that programs use. */
  static final Set<String> KEYS = Set.of("a", "b");

  /** What {@link #closedStore} holds, at LSN 1. */
  static final Map<String, String> INITIAL = Map.of("a", "0");

  private Programs() {}

  /** Every kind of write. */
  static List<Request> writes(String key, String value) {
    return List.of(
        Request.put(key, value),
        Request.remove(key),
        new Request(OperationKind.PUT_IF_ABSENT, key, null, value),
        new Request(OperationKind.REPLACE, key, null, value),
        new Request(OperationKind.REPLACE_IF, key, "0", value),
        new Request(OperationKind.REMOVE_IF, key, "0", null));
  }

  /** Writes of two keys and of a range, beginning at the key. */
  static List<Request> batches(String key, String value) {
    return List.of(
        Request.batch(key, "b", value), Request.batch(key, null, value), Request.removeFrom(key));
  }

  /** Two clients, one with a batch, the other with a batch or a write of one of its keys. */
  static List<List<List<Request>>> batches() {
    List<List<List<Request>>> programs = new ArrayList<>();
    for (Request first : batches("a", "1")) {
      List<Request> others = new ArrayList<>(batches("a", "2"));
      others.add(Request.put("b", "2"));
      others.add(Request.remove("a"));
      for (Request second : others) {
        programs.add(List.of(List.of(first), List.of(second)));
      }
    }
    return programs;
  }

  /** Two clients with one write each. */
  static List<List<List<Request>>> pairs() {
    List<List<List<Request>>> programs = new ArrayList<>();
    for (Request first : writes("a", "1")) {
      for (Request second : writes("a", "2")) {
        programs.add(List.of(List.of(first), List.of(second)));
      }
    }
    return programs;
  }

  /** Two clients with three requests each, chosen by a fixed seed, with values of some length. */
  static List<List<List<Request>>> ofSix(int count, int valueLength) {
    Random random = new Random(valueLength);
    List<List<List<Request>>> programs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<List<Request>> program = new ArrayList<>();
      for (int client = 0; client < 2; client++) {
        List<Request> requests = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
          int length = valueLength / 2 + random.nextInt(valueLength);
          String value = client + "." + n + "-".repeat(length);
          String key = random.nextInt(4) == 0 ? "b" : "a";
          List<Request> choice = new ArrayList<>(writes(key, value));
          choice.addAll(batches(key, value));
          requests.add(random.nextInt(3) == 0 ? choice.get(0) : pick(choice, random));
        }
        program.add(requests);
      }
      programs.add(program);
    }
    return programs;
  }

  /**
   * A client that writes, makes a checkpoint, writes the same key again and makes another, while a
   * second one writes; with values of some length.
   */
  static List<List<List<Request>>> withCheckpoints(int valueLength) {
    String filler = "-".repeat(valueLength);
    List<List<List<Request>>> programs = new ArrayList<>();
    for (Request other :
        List.of(Request.put("b", "2" + filler), Request.remove("a"), Request.removeFrom("a"))) {
      programs.add(
          List.of(
              List.of(
                  Request.put("a", "1" + filler),
                  Request.checkpoint(),
                  Request.put("a", "3" + filler),
                  Request.checkpoint()),
              List.of(other)));
    }
    return programs;
  }

  private static Request pick(List<Request> requests, Random random) {
    return requests.get(random.nextInt(requests.size()));
  }

  /** A store that was created, given its initial content, and closed. */
  static SimulatedStorage closedStore() {
    SimulatedStorage storage = new SimulatedStorage();
    try (OverlayTrie<String, String> store =
        StoreSeam.open(storage, Codecs.string(), Codecs.string(), TINY, ProtocolEvents.NONE)) {
      store.putAll(INITIAL);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return storage.kill();
  }
}
