package org.overlaytrie;

import java.time.Duration;
import java.util.Objects;

/**
 * When a store makes checkpoints by itself, and how much log it keeps. Immutable; start from {@link
 * #defaults()} or {@link #manual()}.
 *
 * <p>A checkpoint writes what has changed since the one before to the image, and lets go of the log
 * up to there. So the log, and with it the time that opening takes, is bounded by {@code bytes} and
 * {@code changes}, and in any case by {@code logLimitBytes}. It begins as soon as one of the three
 * triggers says so, in a thread of the store, and writers go on meanwhile.
 *
 * <p><b>The limit of the log</b> counts the files of the log as they are, segments that are only
 * begun included. A write that finds the log beyond it starts a checkpoint and waits for its end:
 * writers are slowed down to what checkpoints can keep up with. The log exceeds the limit by at
 * most a segment, and by what writers had begun. If that checkpoint fails, the write throws {@link
 * CheckpointFailedException}.
 *
 * @param bytes a checkpoint begins once so many bytes of records were written since the last one;
 *     at least 1
 * @param changes a checkpoint begins once so many changes were made since the last one; at least 1
 * @param interval a checkpoint begins so long after the last one if there was any change since;
 *     zero for never
 * @param logLimitBytes beyond so many bytes of log files writers wait for a checkpoint; at least
 *     twice {@link Options#walSegmentBytes}
 */
public record CheckpointPolicy(long bytes, long changes, Duration interval, long logLimitBytes) {

  /** Checks the ranges. */
  public CheckpointPolicy {
    Objects.requireNonNull(interval, "interval");
    requirePositive("bytes", bytes);
    requirePositive("changes", changes);
    requirePositive("logLimitBytes", logLimitBytes);
    if (interval.isNegative() || interval.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "interval must be zero, or positive and at most 292 years, but is " + interval);
    }
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
    }
  }

  /** After 32 MiB of records, and a log of at most 256 MiB. */
  public static CheckpointPolicy defaults() {
    return new CheckpointPolicy(32 << 20, Long.MAX_VALUE, Duration.ZERO, 256 << 20);
  }

  /** Only when {@link OverlayTrie#checkpoint} is called; the log has no limit. */
  public static CheckpointPolicy manual() {
    return new CheckpointPolicy(Long.MAX_VALUE, Long.MAX_VALUE, Duration.ZERO, Long.MAX_VALUE);
  }

  /** This policy with another {@link #bytes}. */
  public CheckpointPolicy withBytes(long other) {
    return new CheckpointPolicy(other, changes, interval, logLimitBytes);
  }

  /** This policy with another {@link #changes}. */
  public CheckpointPolicy withChanges(long other) {
    return new CheckpointPolicy(bytes, other, interval, logLimitBytes);
  }

  /** This policy with another {@link #interval}. */
  public CheckpointPolicy withInterval(Duration other) {
    return new CheckpointPolicy(bytes, changes, other, logLimitBytes);
  }

  /** This policy with another {@link #logLimitBytes}. */
  public CheckpointPolicy withLogLimitBytes(long other) {
    return new CheckpointPolicy(bytes, changes, interval, other);
  }
}
