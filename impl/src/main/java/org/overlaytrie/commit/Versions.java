package org.overlaytrie.commit;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The two versions that everybody looks at: the tip, which decides the order of changes, and the
 * visible version, which is all that readers see. The tip is never older than the visible version.
 */
final class Versions {
  private final AtomicReference<Version> tip;
  private volatile Version visible;

  Versions(Version recovered) {
    tip = new AtomicReference<>(recovered);
    visible = recovered;
  }

  /** The newest version, maybe not durable yet. */
  Version tip() {
    return tip.get();
  }

  /**
   * Publishes {@code next} with all that it refers to; losing means that another change came first.
   */
  boolean compareAndSetTip(Version seen, Version next) {
    return tip.compareAndSet(seen, next);
  }

  /** The newest version that readers may see. */
  Version visible() {
    return visible;
  }

  /** Only for the leader, with a version that is durable. */
  void makeVisible(Version durable) {
    visible = durable;
  }

  /** {@link Version#settles} of the visible version. */
  boolean settled(long lsn) {
    return visible.settles(lsn);
  }
}
