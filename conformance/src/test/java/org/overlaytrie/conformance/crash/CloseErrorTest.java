package org.overlaytrie.conformance.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.StoreLockedException;
import org.overlaytrie.StoreSeam;
import org.overlaytrie.commit.Parking;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.FileStorage;

/** An {@link Error} ends the closing of a store while another thread writes its log. */
@Tag("crash")
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CloseErrorTest {

  @TempDir Path directory;

  @Test
  void theDirectoryIsKeptUntilTheLogIsWrittenNoMore() throws Exception {
    Leader leader = new Leader();
    OverlayTrie<String, String> store =
        StoreSeam.open(
            FileStorage.open(directory),
            Codecs.string(),
            Codecs.string(),
            Programs.TINY,
            leader,
            leader);
    FutureTask<String> write = new FutureTask<>(() -> store.put("key", "value"));
    new Thread(write).start();
    leader.collecting.await();

    Error error = new OutOfMemoryError("test");
    leader.errorOfClosing = error;
    assertThatThrownBy(store::close).isSameAs(error);
    assertThatThrownBy(() -> OverlayTrie.open(directory, Codecs.string(), Codecs.string()))
        .isInstanceOf(StoreLockedException.class);
    assertThatThrownBy(() -> store.put("late", "value"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");

    leader.errorOfClosing = null;
    leader.mayGoOn.countDown();
    assertThat(write.get()).isNull();
    store.close();
    try (OverlayTrie<String, String> reopened =
        OverlayTrie.open(directory, Codecs.string(), Codecs.string())) {
      assertThat(reopened).containsOnlyKeys("key");
    }
  }

  /** Holds the leader before its flush, and ends the closing thread before it waits for that. */
  private static final class Leader implements ProtocolEvents, Parking {
    final CountDownLatch collecting = new CountDownLatch(1);
    final CountDownLatch mayGoOn = new CountDownLatch(1);
    volatile Error errorOfClosing;

    @Override
    public void collectBatch(long endLsn) {
      collecting.countDown();
      try {
        mayGoOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void closeTip(long lsn) {
      Error error = errorOfClosing;
      if (error != null) {
        throw error;
      }
    }

    @Override
    public void park(Object blocker) {
      LockSupport.park(blocker);
    }

    @Override
    public void unpark(Thread thread) {
      LockSupport.unpark(thread);
    }
  }
}
