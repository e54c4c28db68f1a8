package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.spec.Checks;

/** What a transaction reads, what others see of it, and how it ends. */
class TransactionTest {
  @TempDir Path directory;
  private OverlayTrie<String, String> store;

  @BeforeEach
  void open() {
    store = OverlayTrie.open(directory.resolve("store"), Codecs.string(), Codecs.string());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  @Checks({
    "DocumentTransaction!TransactionAtomicInv",
    "DocumentTransaction!UnfinishedNeverReplaysInv"
  })
  void nobodySeesItsWritesBeforeItCommitsAndAllSeeThemAfterwards() {
    store.put("a", "1");
    store.put("b", "1");
    Transaction<String, String> transaction = store.begin();
    transaction.put("a", "2");
    transaction.remove("b");
    transaction.put("c", "2");
    assertThat(store).isEqualTo(Map.of("a", "1", "b", "1"));
    transaction.commit();
    assertThat(store).isEqualTo(Map.of("a", "2", "c", "2"));
    assertThat(store.commit().visible().lsn()).isEqualTo(3);
    close();
    open();
    assertThat(store).isEqualTo(Map.of("a", "2", "c", "2"));
  }

  @Test
  void readsItsOwnWritesFirstAndElseTheVersionThatItBeganOn() {
    store.put("a", "1");
    store.put("b", "1");
    try (Transaction<String, String> transaction = store.begin()) {
      store.put("a", "2");
      store.remove("b");
      store.put("c", "2");
      assertThat(transaction.get("a")).isEqualTo("1");
      assertThat(transaction.get("b")).isEqualTo("1");
      assertThat(transaction.get("c")).isNull();
      transaction.put("c", "3");
      transaction.remove("a");
      assertThat(transaction.get("a")).isNull();
      assertThat(transaction.get("c")).isEqualTo("3");
      transaction.put("a", "3");
      assertThat(transaction.get("a")).isEqualTo("3");
    }
    assertThat(store).isEqualTo(Map.of("a", "2", "c", "2"));
  }

  @Test
  @Checks("DocumentTransaction!ValidatedReadsHoldInv")
  void aValidatedOneIsRefusedIfWhatItReadHasChanged() {
    store.put("a", "1");
    for (Consumer<OverlayTrie<String, String>> change :
        List.<Consumer<OverlayTrie<String, String>>>of(
            changed -> changed.put("a", "2"),
            changed -> changed.remove("a"),
            changed -> changed.clear(),
            changed -> changed.put("absent", "now there"))) {
      store.putAll(Map.of("a", "1"));
      store.remove("absent");
      Transaction<String, String> transaction = store.beginValidated();
      transaction.get("other");
      transaction.get("a");
      transaction.get("absent");
      transaction.put("written", "1");
      change.accept(store);
      assertThatThrownBy(transaction::commit)
          .isInstanceOfSatisfying(
              TransactionConflictException.class,
              conflict -> assertThat(conflict.key()).isIn("a", "absent"))
          .hasMessageMatching("the key (a|absent) has another value .*");
      assertThat(store.get("written")).isNull();
      assertThatThrownBy(transaction::commit).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aValidatedOneCommitsIfWhatItReadHoldsWhateverElseChanged() {
    store.put("a", "1");
    Transaction<String, String> transaction = store.beginValidated();
    transaction.get("a");
    transaction.put("b", "1");
    transaction.get("b"); // its own: nobody else's concern
    store.put("b", "2");
    store.put("a", "2");
    store.put("a", "1"); // as it was
    transaction.commit();
    assertThat(store).isEqualTo(Map.of("a", "1", "b", "1"));
  }

  @Test
  void oneThatIsNotValidatedWritesOverWhatOthersWrote() {
    store.put("a", "1");
    Transaction<String, String> transaction = store.begin();
    transaction.put("a", transaction.get("a") + "1");
    store.put("a", "2");
    transaction.commit();
    assertThat(store.get("a")).isEqualTo("11");
  }

  @Test
  void oneWithoutWritesChangesNothingButValidates() {
    store.put("a", "1");
    store.begin().commit();
    Transaction<String, String> right = store.beginValidated();
    right.get("a");
    right.commit();
    assertThat(store.commit().visible().lsn()).isEqualTo(1);
    Transaction<String, String> late = store.beginValidated();
    late.get("a");
    store.put("a", "2");
    assertThatThrownBy(late::commit).isInstanceOf(TransactionConflictException.class);
  }

  @Test
  @Checks({"DocumentTransaction!AbortLeavesNoTraceInv", "DocumentTransaction!ConsumedOnceInv"})
  void onceEndedItIsOfNoUseAndAnAbortedOneHasNoEffect() {
    Transaction<String, String> aborted = begun();
    aborted.abort();
    Transaction<String, String> closed = begun();
    closed.close();
    closed.close();
    assertThat(store).isEmpty();
    assertThat(store.commit().visible().lsn()).isZero();
    Transaction<String, String> committed = begun();
    committed.commit();
    assertThatThrownBy(committed::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended");
    committed.close();
    for (Transaction<String, String> ended : List.of(aborted, closed, committed)) {
      for (Runnable call :
          List.<Runnable>of(
              () -> ended.get("a"),
              () -> ended.put("a", "2"),
              () -> ended.remove("a"),
              () -> ended.commit(),
              () -> ended.abort())) {
        assertThatThrownBy(call::run)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("ended");
      }
    }
    assertThat(store).isEqualTo(Map.of("a", "1"));
    assertThat(store.commit().visible().lsn()).isEqualTo(1);
  }

  private Transaction<String, String> begun() {
    Transaction<String, String> transaction = store.begin();
    transaction.put("a", "1");
    return transaction;
  }

  @Test
  void afterTheStoreWasClosedItCanOnlyBeDropped() {
    Transaction<String, String> transaction = begun();
    store.close();
    for (Runnable call :
        List.<Runnable>of(
            () -> transaction.get("a"),
            () -> transaction.put("a", "2"),
            () -> transaction.remove("a"),
            () -> transaction.commit())) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the store is closed");
    }
    transaction.abort();
    transaction.close();
  }
}
