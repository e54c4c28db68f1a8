package org.overlaytrie.schedules.scenario;

import java.util.List;
import org.overlaytrie.Durability;

/** The scenarios on the whole store. */
public final class Stores {
  private Stores() {}

  /** Two writers: one leads, the other waits, hands over or finds it done. */
  public static final class TwoWriters extends StoreScenario {
    public TwoWriters() {
      super(false);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> put(1, "a"), () -> put(2, "b"));
    }
  }

  /** Three writers: the leadership passes on while somebody still waits. */
  public static final class ThreeWriters extends StoreScenario {
    public ThreeWriters() {
      super(false);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> put(1, "a"), () -> put(2, "b"), () -> put(3, "c"));
    }
  }

  /** A writer, one that finds the key present and must wait all the same, and a reader. */
  public static final class WriterObserverReader extends StoreScenario {
    public WriterObserverReader() {
      super(false);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> put(1, "a"), () -> putIfAbsent(1, "a"), () -> read(1));
    }
  }

  /** A batch, a reader of the whole map, and a writer whose flush may take the batch with it. */
  public static final class BatchAndReader extends StoreScenario {
    public BatchAndReader() {
      super(false);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> putBoth(1, 2, "a"), () -> readBoth(1, 2), () -> put(3, "b"));
    }
  }

  /** Two validated transactions that count on one key: each must see the other. */
  public static final class TwoCounters extends StoreScenario {
    public TwoCounters() {
      super(false);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> count(1), () -> count(1));
    }
  }

  /** Four writers of two changes each: too many schedules for all, many for chance. */
  public static final class FourBusyWriters extends StoreScenario {
    public FourBusyWriters() {
      super(false);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> putTwo(10), () -> putTwo(20), () -> putTwo(30), () -> putTwo(40));
    }

    private void putTwo(long key) {
      put(key, "a");
      put(key + 1, "b");
    }
  }

  /** Writers whose leader fails: everybody is let go and nobody is answered. */
  public static final class FailingForce extends StoreScenario {
    public FailingForce() {
      super(true);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> put(1, "a"), () -> put(2, "b"), () -> put(3, "c"));
    }
  }

  /** Writers while the store is closed: each is answered or refused, and closing ends. */
  public static final class WritersAndCloser extends StoreScenario {
    public WritersAndCloser() {
      super(false);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> put(1, "a"), this::close, () -> put(2, "b"));
    }
  }

  /** A store that is closed while its leader fails. */
  public static final class FailingForceAndCloser extends StoreScenario {
    public FailingForceAndCloser() {
      super(true);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> put(1, "a"), this::close, () -> put(2, "b"));
    }
  }

  /** Writers that do not wait, and sync. */
  public static final class TwoSyncs extends StoreScenario {
    public TwoSyncs() {
      super(false, Durability.NONE);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> putAndSync(1, "a"), () -> putAndSync(2, "b"));
    }
  }

  /** The same, while somebody closes the store. */
  public static final class SyncsAndCloser extends StoreScenario {
    public SyncsAndCloser() {
      super(false, Durability.NONE);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> putAndSync(1, "a"), this::close, () -> putAndSync(2, "b"));
    }
  }

  /** The same on a disk on which no force succeeds. */
  public static final class FailingSyncs extends StoreScenario {
    public FailingSyncs() {
      super(true, Durability.NONE);
    }

    @Override
    List<Body> bodies() {
      return List.of(() -> putAndSync(1, "a"), () -> putAndSync(2, "b"));
    }
  }
}
