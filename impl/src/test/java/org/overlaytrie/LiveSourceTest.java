package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.overlaytrie.commit.Operation;
import org.overlaytrie.spec.OperationKind;

/** The right of way of large decisions. */
class LiveSourceTest {
  private static final byte[] KEY = {1};

  @Test
  void aLargeDecisionHasTheRightOfWayFromItsEighthAttemptToItsEnd() {
    try (OverlayTrie<Long, Long> store = MemoryStores.open(Codecs.longs(), Codecs.longs())) {
      LiveSource source = new LiveSource(store.commit(), store.checkpoints());
      List<Boolean> claimed = new ArrayList<>();
      source.decideLarge(
          tip -> {
            claimed.add(source.isClaimed());
            if (claimed.size() < 10) {
              store.put(7L, (long) claimed.size()); // outruns it
            }
            return new Operation(OperationKind.PUT, KEY, null, KEY);
          });
      assertThat(claimed)
          .containsExactly(false, false, false, false, false, false, false, true, true, true);
      assertThat(source.isClaimed()).isFalse();
      int[] attempts = {0};
      assertThatThrownBy(
              () ->
                  source.decideLarge(
                      tip -> {
                        store.put(7L, (long) -attempts[0]);
                        if (attempts[0]++ == 9) {
                          throw new ArithmeticException("mine");
                        }
                        return new Operation(OperationKind.PUT, KEY, null, KEY);
                      }))
          .isInstanceOf(ArithmeticException.class);
      assertThat(source.isClaimed()).as("given back").isFalse();
    }
  }
}
