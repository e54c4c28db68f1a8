package org.overlaytrie.linearizability;

import static org.overlaytrie.linearizability.Lincheck.modelChecking;
import static org.overlaytrie.linearizability.Lincheck.notices;
import static org.overlaytrie.linearizability.Lincheck.passes;
import static org.overlaytrie.linearizability.Lincheck.stress;

import org.junit.jupiter.api.Test;
import org.overlaytrie.spec.Checks;

/** The trie alone behind one CAS, as the commit protocol uses it. */
@Checks("SequencedCommit!CommitOrderIsLogOrderInv")
class TrieLinearizabilityTest {
  @Test
  void isLinearizableUnderChosenInterleavingsOfTwoThreads() {
    passes(modelChecking(2, 500), MapSpecification.class, TrieOperations.class);
  }

  @Test
  void isLinearizableUnderChosenInterleavingsOfThreeThreads() {
    passes(modelChecking(3, 200), MapSpecification.class, TrieOperations.class);
  }

  @Test
  void isLinearizableOnFreeThreads() {
    passes(stress(3, 500), MapSpecification.class, TrieOperations.class);
  }

  @Test
  void lookingAndThenWritingIsNoticedUnderChosenInterleavings() {
    notices(modelChecking(2, 500), MapSpecification.class, TrieOperations.Broken.class);
  }

  @Test
  void lookingAndThenWritingIsNoticedOnFreeThreads() {
    notices(stress(2, 2_000), MapSpecification.class, TrieOperations.Broken.class);
  }
}
