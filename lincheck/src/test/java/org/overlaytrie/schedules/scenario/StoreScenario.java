package org.overlaytrie.schedules.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.overlaytrie.Codecs;
import org.overlaytrie.Durability;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.Transaction;
import org.overlaytrie.TransactionConflictException;
import org.overlaytrie.conformance.crash.Fault;
import org.overlaytrie.conformance.crash.Operation;
import org.overlaytrie.conformance.crash.SimulatedStorage;
import org.overlaytrie.schedules.Scenario;
import org.overlaytrie.spec.ProtocolEvents;

/**
 * A few operations on the whole store over a simulated disk. Whatever a thread is told, by an
 * answer or by a read, must be on the disk at that moment; that is looked up in a copy of the disk
 * as a power failure would leave it.
 */
abstract class StoreScenario implements Scenario {
  private static final Options SMALL_SEGMENTS = Options.defaults().withWalSegmentBytes(4_096);

  /** What a thread was told, and the disk at that moment. */
  private record Told(long key, String value, SimulatedStorage disk) {}

  private final boolean forceFails;
  private final Options options;
  private final List<Told> told = new ArrayList<>();
  private final Set<String> counted = new HashSet<>();
  private SimulatedStorage disk;
  private boolean failing;
  private OverlayTrie<Long, String> store;

  StoreScenario(boolean forceFails) {
    this(forceFails, Durability.SYNC);
  }

  StoreScenario(boolean forceFails, Durability durability) {
    this.forceFails = forceFails;
    this.options = SMALL_SEGMENTS.withDurability(durability);
  }

  /** What the threads do; the store is open. */
  abstract List<Body> bodies();

  @Override
  public final List<Body> begin() throws IOException {
    told.clear();
    counted.clear();
    failing = false;
    disk = new SimulatedStorage(this::fault);
    store = open(disk, options);
    failing = forceFails;
    return bodies();
  }

  private Fault fault(Operation operation) {
    return failing && operation.kind() == Operation.Kind.FORCE ? Fault.DROPPED_PAGES : null;
  }

  private static OverlayTrie<Long, String> open(SimulatedStorage disk, Options options)
      throws IOException {
    return StoreSeam.open(disk, Codecs.longs(), Codecs.string(), options, ProtocolEvents.NONE);
  }

  /** A write that must be answered, unless the store fails or is closed. */
  final void put(long key, String value) {
    try {
      store.put(key, value);
    } catch (StoreFailedException expected) {
      require(forceFails, "failed without a reason");
      return;
    } catch (IllegalStateException closed) {
      return;
    }
    require(!forceFails, "answered although no force succeeds");
    tell(key, value);
  }

  /** A write that does not wait, and a sync, after which it must be on the disk. */
  final void putAndSync(long key, String value) {
    try {
      store.put(key, value);
      store.sync();
    } catch (StoreFailedException expected) {
      require(forceFails, "failed without a reason");
      return;
    } catch (IllegalStateException closed) {
      return;
    }
    require(!forceFails, "answered although no force succeeds");
    tell(key, value);
  }

  /** A write that may find its key present, and then must be sure of it all the same. */
  final void putIfAbsent(long key, String value) {
    String present = store.putIfAbsent(key, value);
    tell(key, present == null ? value : present);
  }

  /** A validated transaction that adds one to a counter; once more if another was first. */
  final void count(long key) {
    while (true) {
      try (Transaction<Long, String> transaction = store.beginValidated()) {
        String before = transaction.get(key);
        String after = before == null ? "1" : before + "1";
        transaction.put(key, after);
        transaction.commit();
        require(counted.add(after), "two transactions counted to " + after);
        return;
      } catch (TransactionConflictException e) {
        // As it must, if another was first.
      }
    }
  }

  /** A batch of two puts, seen whole or not at all. */
  final void putBoth(long first, long second, String value) {
    store.writeBatch(
        batch -> {
          batch.put(first, value);
          batch.put(second, value);
        });
    tell(first, value);
    tell(second, value);
  }

  /** Reads the whole map, in which two keys must have the same value. */
  final void readBoth(long first, long second) {
    Map<Long, String> content = Map.copyOf(store);
    require(
        Objects.equals(content.get(first), content.get(second)),
        "saw a part of a batch: " + content);
  }

  final void read(long key) {
    String value = store.get(key);
    if (value != null) {
      tell(key, value);
    }
  }

  final void close() {
    try {
      store.close();
    } catch (UncheckedIOException notClosedProperly) {
      require(forceFails, "not closed without a reason");
    }
  }

  private void tell(long key, String value) {
    told.add(new Told(key, value, disk.crash(uncertain -> false)));
  }

  @Override
  public final void check() throws IOException {
    for (Told each : told) {
      try (OverlayTrie<Long, String> recovered = open(each.disk, SMALL_SEGMENTS)) {
        require(
            each.value.equals(recovered.get(each.key)),
            "was told " + each.key + "=" + each.value + ", but the disk holds " + recovered);
      }
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
