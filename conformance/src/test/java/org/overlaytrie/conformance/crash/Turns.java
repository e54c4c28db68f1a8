package org.overlaytrie.conformance.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.overlaytrie.commit.Parking;

/**
 * Lets one client thread run at a time, and a {@link Chooser} say which, so that an execution can
 * be repeated. A thread can lose its turn wherever {@link #step} is called and where it parks.
 * Threads that are no clients are not held up.
 */
final class Turns implements Parking {

  /** Chooses who goes on. */
  interface Chooser {
    /**
     * The index of the chosen one.
     *
     * @param options the clients that can go on, never empty; first the one whose turn it is, if it
     *     can
     * @param preempts whether choosing another than the first takes the turn from a client that
     *     could go on
     */
    int choose(List<Integer> options, boolean preempts);
  }

  private final class Client extends Thread {
    final int index;
    final Runnable work;
    final Semaphore turn = new Semaphore(0);
    boolean asleep;
    boolean permit;
    volatile boolean done;

    Client(int index, Runnable work) {
      super("client " + index);
      this.index = index;
      this.work = work;
      setDaemon(true);
    }

    Turns turns() {
      return Turns.this;
    }

    @Override
    public void run() {
      turn.acquireUninterruptibly();
      try {
        work.run();
      } catch (Throwable failure) {
        failures.add(failure);
      } finally {
        done = true;
        passOn();
      }
    }

    /** Gives the turn to somebody; whoever calls this waits for its own turn afterwards. */
    private void passOn() {
      if (stuck) {
        reportIfAllDone();
        return;
      }
      List<Integer> options = options(this);
      if (options.isEmpty()) {
        if (!reportIfAllDone()) {
          giveUp();
        }
        return;
      }
      boolean preempts = options.get(0) == index;
      clients.get(options.get(chooser.choose(options, preempts))).turn.release();
    }
  }

  private final Chooser chooser;
  private final List<Client> clients = new ArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final Semaphore allDone = new Semaphore(0);
  private volatile boolean stuck;

  Turns(Chooser chooser) {
    this.chooser = chooser;
  }

  /** Runs the clients to their ends. */
  void run(List<Runnable> work) {
    for (Runnable each : work) {
      clients.add(new Client(clients.size(), each));
    }
    clients.forEach(Thread::start);
    List<Integer> options = options(null);
    clients.get(options.get(chooser.choose(options, false))).turn.release();
    allDone.acquireUninterruptibly();
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("a client failed", failures.get(0));
      failures.stream().skip(1).forEach(error::addSuppressed);
      throw error;
    }
  }

  /** The calling client, null if the calling thread is none of these. */
  private Client current() {
    return Thread.currentThread() instanceof Client client && client.turns() == this
        ? client
        : null;
  }

  /** Whether the calling thread is one of the clients. */
  boolean controlsCaller() {
    return current() != null;
  }

  /** Somebody else may go on here. */
  void step() {
    Client client = current();
    if (client != null && !stuck) {
      client.passOn();
      client.turn.acquireUninterruptibly();
    }
  }

  @Override
  public void park(Object blocker) {
    Client client = current();
    if (client == null) {
      LockSupport.park(blocker);
      return;
    }
    if (!stuck) {
      client.asleep = !client.permit;
      client.permit = false;
      client.passOn();
      client.turn.acquireUninterruptibly();
    }
    if (stuck) {
      throw new AssertionError("a wake-up was lost: every thread sleeps or has ended");
    }
  }

  /** Ends at once for clients: time is whatever they need. */
  @Override
  public void parkNanos(Object blocker, long nanos) {
    if (current() == null) {
      LockSupport.parkNanos(blocker, nanos);
    } else {
      step();
    }
  }

  @Override
  public void unpark(Thread thread) {
    if (thread instanceof Client client) {
      client.permit = !client.asleep;
      client.asleep = false;
    } else {
      LockSupport.unpark(thread);
    }
  }

  private List<Integer> options(Client current) {
    List<Integer> options = new ArrayList<>();
    if (current != null && !current.asleep && !current.done) {
      options.add(current.index);
    }
    for (Client client : clients) {
      if (client != current && !client.asleep && !client.done) {
        options.add(client.index);
      }
    }
    return options;
  }

  private boolean reportIfAllDone() {
    boolean done = clients.stream().allMatch(client -> client.done);
    if (done) {
      allDone.release();
    }
    return done;
  }

  /** Wakes everybody, to fail. */
  private void giveUp() {
    stuck = true;
    clients.forEach(client -> client.turn.release());
  }
}
