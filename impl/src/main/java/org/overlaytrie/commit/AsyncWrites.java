package org.overlaytrie.commit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.spec.Upholds;

/**
 * Stages: what stands for an operation whose caller did not wait until it is visible. One thread of
 * the store, started at the first stage, waits in the callers' place and completes them.
 *
 * <pre>
 *   caller                                       completing thread
 *   1  take room, wait while there is none       1  take all stages that were pushed
 *   2  commit (or observe)                       2  for each, oldest first: wait until its LSN is
 *   3  push the stage                               visible, give back its room, complete it
 *   4  wake the completing thread                3  none left? sleep, then 1
 * </pre>
 *
 * <p>Room is a permit that a stage holds until it is about to be completed. Therefore the thread
 * may end when the store is closed and all permits are back: nobody is between 1 and 3 then, and
 * whoever comes to 1 later finds the store closed in 2, where it gives its permit back and wakes
 * the thread to look again. The completing thread itself takes no room, nor does a thread that has
 * room between 1 and 3: what these call, in a dependent of a stage or in a function that computes a
 * value, would wait for themselves.
 *
 * <p>The stages of one thread are completed in the order of its calls.
 */
final class AsyncWrites {

  /** One stage, and what it waits for. */
  static final class Stage<T> {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Supplier<T> result;
    private final boolean holdsRoom;
    private final long number;
    private long lsn;
    private byte[] previous;
    private Stage<?> next;

    private Stage(Supplier<T> result, long number, boolean holdsRoom) {
      this.result = result;
      this.number = number;
      this.holdsRoom = holdsRoom;
    }

    /** What the caller gets. To complete or cancel it means nothing to the store. */
    CompletionStage<T> future() {
      return future;
    }

    private void complete(Throwable failure) {
      try {
        if (failure != null) {
          future.completeExceptionally(failure);
        } else {
          future.complete(result.get());
        }
      } catch (Throwable thrown) {
        future.completeExceptionally(thrown);
      }
    }
  }

  /** A stage that is complete already. */
  static <T> CompletionStage<T> completed(Supplier<T> result) {
    Stage<T> stage = new Stage<>(result, 0, false);
    stage.complete(null);
    return stage.future();
  }

  private static final long RETRY_NANOS = 1_000_000;

  private final SequencedCommit commit;
  private final ProtocolEvents events;
  private final Parking parking;
  private final int limit;
  private final Semaphore room;
  private final AtomicReference<Thread> completing = new AtomicReference<>();
  private final AtomicReference<Stage<?>> newest = new AtomicReference<>();
  private final AtomicLong numbers = new AtomicLong();

  /** Present in a thread between 1 and 3. */
  private final ThreadLocal<Boolean> hasRoom = new ThreadLocal<>();

  AsyncWrites(SequencedCommit commit, ProtocolEvents events, Parking parking, int limit) {
    this.commit = commit;
    this.events = events;
    this.parking = parking;
    this.limit = limit;
    this.room = new Semaphore(limit);
  }

  /** A stage, with room for it; waits while there is none. An interrupt ends no wait. */
  <T> Stage<T> begin(Supplier<T> result) {
    boolean takesRoom = Thread.currentThread() != completing.get() && hasRoom.get() == null;
    if (takesRoom) {
      room.acquireUninterruptibly();
      hasRoom.set(true);
    }
    try {
      if (completing.get() == null) {
        start();
      }
      return new Stage<>(result, numbers.incrementAndGet(), takesRoom);
    } catch (Throwable failure) {
      giveBack(takesRoom);
      throw failure;
    }
  }

  /** LeaveStage: the stage waits for {@code lsn}; this thread may go on. */
  void leave(Stage<?> stage, long lsn, byte[] previous) {
    stage.lsn = lsn;
    stage.previous = previous;
    events.leaveStage(stage.number);
    Stage<?> seen;
    do {
      seen = newest.get();
      stage.next = seen;
    } while (!newest.compareAndSet(seen, stage));
    if (stage.holdsRoom) {
      hasRoom.remove();
    }
    wake();
  }

  /** The stage comes to nothing: its operation was refused. */
  void drop(Stage<?> stage) {
    giveBack(stage.holdsRoom);
  }

  private void giveBack(boolean held) {
    if (held) {
      hasRoom.remove();
      room.release();
      wake();
    }
  }

  /** Lets the completing thread look again at what there is to do, and whether it may end. */
  void wake() {
    Thread thread = completing.get();
    if (thread != null) {
      parking.unpark(thread);
    }
  }

  private void start() {
    Thread thread = new Thread(this::completeStages, "overlay-trie-stages");
    thread.setDaemon(true);
    thread.start();
  }

  private void completeStages() {
    if (!completing.compareAndSet(null, Thread.currentThread())) {
      return; // two callers were first
    }
    while (true) {
      Stage<?> stage = oldestFirst(newest.getAndSet(null));
      if (stage == null) {
        if (mayEnd()) {
          return;
        }
        parking.park(this);
      }
      for (; stage != null; stage = stage.next) {
        complete(stage);
      }
    }
  }

  private boolean mayEnd() {
    return commit.tip().closed() && room.availablePermits() == limit && newest.get() == null;
  }

  private static Stage<?> oldestFirst(Stage<?> newest) {
    Stage<?> first = null;
    for (Stage<?> stage = newest; stage != null; ) {
      Stage<?> older = stage.next;
      stage.next = first;
      first = stage;
      stage = older;
    }
    return first;
  }

  @Upholds("AsyncCommit!CompletedIsVisibleInv")
  private void complete(Stage<?> stage) {
    Throwable failure = settle(stage);
    if (failure == null) {
      events.completeStage(stage.number, stage.previous); // CompleteStage
    } else {
      events.failStage(stage.number); // FailStage
    }
    if (stage.holdsRoom) {
      room.release();
    }
    stage.complete(failure);
    Thread.interrupted(); // a dependent's flag is no concern of the next, and would end every sleep
  }

  /** Waits until the stage's LSN is visible, or returns why it never will be. */
  private Throwable settle(Stage<?> stage) {
    while (true) {
      try {
        commit.awaitForStage(stage.lsn);
        return null;
      } catch (StoreFailedException failure) {
        return failure;
      } catch (Error again) {
        // Of memory, for an entry of those who wait. The stage must be completed all the same.
        parking.parkNanos(this, RETRY_NANOS);
      }
    }
  }
}
