package org.overlaytrie.conformance.crash;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.overlaytrie.CheckpointFailedException;
import org.overlaytrie.Codecs;
import org.overlaytrie.Options;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreFailedException;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.conformance.crash.History.Call;
import org.overlaytrie.spec.Observations;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.wal.LogRecord;

/**
 * An open store whose calls are recorded in a history, and whose commits are recorded in their
 * order.
 */
final class ObservedStore {
  private final History history;
  private final CommitOrder order;
  private final Observations observations;
  private final Runnable step;
  private static final ThreadLocal<Call> CURRENT = new ThreadLocal<>();

  private final OverlayTrie<String, String> store;
  private final long recoveredLsn;
  private final Map<String, String> recoveredContent;
  private long requiredLsn;
  private volatile boolean failed;
  private volatile boolean checkpointFailed;
  private volatile boolean refused;
  private volatile boolean closing;

  /**
   * Opens it.
   *
   * @param step run after each step of the protocol
   */
  ObservedStore(
      Storage storage,
      Options options,
      History history,
      CommitOrder order,
      Observations observations,
      Parking parking,
      Runnable step)
      throws IOException {
    this.history = history;
    this.order = order;
    this.observations = observations;
    this.step = step;
    this.store =
        StoreSeam.open(storage, Codecs.string(), Codecs.string(), options, new Recorder(), parking);
    this.recoveredLsn = requiredLsn;
    this.recoveredContent = contentOf(store);
  }

  /** Where recovery found the log to end. */
  long recoveredLsn() {
    return recoveredLsn;
  }

  /** What recovery found. */
  Map<String, String> recoveredContent() {
    return recoveredContent;
  }

  OverlayTrie<String, String> store() {
    return store;
  }

  /** Asks the store and records it; false if the store has failed, was closed or has stopped. */
  boolean call(int client, Request request) {
    if (request.isCheckpoint()) {
      return checkpoint();
    }
    Call outer = CURRENT.get();
    Call call = history.invoke(client, request);
    CURRENT.set(call);
    try {
      Object result = request.on(store);
      require(call.lsn());
      history.answer(call, result);
      return true;
    } catch (StoreFailedException e) {
      refused = true;
      return false;
    } catch (IllegalStateException e) {
      if (!closing) {
        throw e;
      }
      return false;
    } finally {
      CURRENT.set(outer);
    }
  }

  /** Changes nothing that anybody could see, whether it succeeds or fails. */
  private boolean checkpoint() {
    try {
      store.checkpoint();
      return true;
    } catch (CheckpointFailedException e) {
      checkpointFailed = true;
      return true;
    } catch (StoreFailedException e) {
      refused = true;
      return false;
    } catch (IllegalStateException e) {
      if (!closing) {
        throw e;
      }
      return false;
    }
  }

  /** Whether a checkpoint has failed, and the store went on. */
  boolean checkpointFailed() {
    return checkpointFailed;
  }

  /** Closes the store, perhaps while calls are under way. */
  void close() {
    closing = true;
    store.close();
  }

  private synchronized void require(long lsn) {
    requiredLsn = Math.max(requiredLsn, lsn);
  }

  /** The newest LSN that an answer given so far depends on. */
  synchronized long requiredLsn() {
    return requiredLsn;
  }

  /** Whether the store has failed; only once no call is under way. */
  boolean failed() {
    if (refused && !failed) {
      throw new AssertionError("calls were refused, but the store did not say that it failed");
    }
    return failed;
  }

  /** The content, in the order in which it was iterated; fails if that is not ascending. */
  static Map<String, String> contentOf(OverlayTrie<String, String> store) {
    Map<String, String> content = new TreeMap<>();
    String last = null;
    for (Map.Entry<String, String> entry : store.entrySet()) {
      if (last != null && last.compareTo(entry.getKey()) >= 0) {
        throw new AssertionError("iterated " + entry.getKey() + " after " + last);
      }
      last = entry.getKey();
      content.put(last, entry.getValue());
    }
    if (content.size() != store.size()) {
      throw new AssertionError("size " + store.size() + " with the entries " + content);
    }
    return content;
  }

  private final class Recorder implements ProtocolEvents {
    private void dependsOn(long lsn) {
      Call call = CURRENT.get();
      if (call != null) {
        call.dependsOn(lsn);
      }
    }

    @Override
    public void invoke(OperationKind kind, byte[] key, byte[] expected, byte[] value) {
      observations.invoke(kind, key, expected, value);
      step.run();
    }

    @Override
    public void invokeBatch(LogRecord batch) {
      observations.invokeBatch(batch);
      step.run();
    }

    @Override
    public void withdraw() {
      step.run();
    }

    @Override
    public void commitVersion(long lsn) {
      observations.commitVersion(lsn);
      dependsOn(lsn);
      order.commit(lsn, CURRENT.get().request());
      step.run();
    }

    @Override
    public void observeNoOp(long lsn) {
      observations.observeNoOp(lsn);
      dependsOn(lsn);
      step.run();
    }

    @Override
    public void readVisible(long lsn, byte[] key, byte[] result) {
      observations.readVisible(lsn, key, result);
      dependsOn(lsn);
    }

    @Override
    public void becomeLeader(long term) {
      step.run();
    }

    @Override
    public void enqueue(long lsn) {
      step.run();
    }

    @Override
    public void recheckVisible(long visibleLsn) {
      step.run();
    }

    @Override
    public void collectBatch(long endLsn) {
      step.run();
    }

    @Override
    public void makeVisible(long lsn) {
      observations.makeVisible(lsn);
      step.run();
    }

    @Override
    public void drainWaiters(long[] waiters, long[] lsns) {
      step.run();
    }

    @Override
    public void handOver(long waiter, long lsn, long term) {
      step.run();
    }

    @Override
    public void releaseLeadership(long term) {
      step.run();
    }

    @Override
    public void recheckTip(long tipLsn) {
      step.run();
    }

    @Override
    public void requestSync(long lsn) {
      observations.requestSync(lsn);
      step.run();
    }

    @Override
    public void answer(byte[] previous) {
      observations.answer(previous);
      step.run();
    }

    @Override
    public void failStore() {
      observations.failStore();
      failed = true;
      step.run();
    }

    @Override
    public void answerFailure() {
      step.run();
    }

    @Override
    public void finishRecovery(long lastLsn) {
      observations.finishRecovery(lastLsn);
      require(lastLsn);
    }
  }
}
