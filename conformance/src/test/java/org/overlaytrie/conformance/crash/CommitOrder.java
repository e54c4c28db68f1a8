package org.overlaytrie.conformance.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The changes that the store committed, by LSN, as its protocol events told: what the content must
 * be after recovery found the log to end at an LSN, exactly.
 *
 * <p>Safe for use by any number of threads.
 */
final class CommitOrder {
  private final Map<String, String> initial;
  private final long initialLsn;
  private final TreeMap<Long, Request> changes = new TreeMap<>();

  CommitOrder(Map<String, String> initial, long initialLsn) {
    this.initial = Map.copyOf(initial);
    this.initialLsn = initialLsn;
  }

  /** The request's change got this LSN. */
  synchronized void commit(long lsn, Request request) {
    Request other = changes.put(lsn, request);
    if (other != null) {
      throw new AssertionError("LSN " + lsn + " was given to " + other + " and to " + request);
    }
  }

  /** A crash took every change above the LSN. */
  synchronized void recoverTo(long lsn) {
    changes.tailMap(lsn, false).clear();
  }

  synchronized long lastLsn() {
    return changes.isEmpty() ? initialLsn : changes.lastKey();
  }

  /** The content after the change of this LSN. */
  synchronized Map<String, String> contentAt(long lsn) {
    Map<String, String> content = new TreeMap<>(initial);
    List<Long> missing = new ArrayList<>();
    for (long next = initialLsn + 1; next <= lsn; next++) {
      Request change = changes.get(next);
      if (change == null) {
        missing.add(next);
      } else {
        content = change.after(content);
      }
    }
    if (!missing.isEmpty()) {
      throw new AssertionError("no operation committed the LSNs " + missing);
    }
    return content;
  }
}
