package org.overlaytrie;

import java.time.Duration;
import java.util.Objects;

/**
 * When the writes of a store become durable, and so what a crash can take: of the process or of the
 * machine, it makes no difference. {@link Options#withDurability} chooses; the files are the same
 * for all, and a store may be opened with another one each time.
 *
 * <table>
 * <caption>What a crash can take</caption>
 * <tr><th>durability</th><th>a write returns</th><th>readers see</th><th>a crash takes</th></tr>
 * <tr><td>{@link #SYNC}</td><td>once it is durable</td><td>what is durable</td>
 *     <td>nothing that any call has returned</td></tr>
 * <tr><td>{@link #group}</td><td>once it is durable</td><td>what is durable</td>
 *     <td>nothing that any call has returned</td></tr>
 * <tr><td>{@link #periodic}</td><td>at once</td><td>all writes</td>
 *     <td>the newest writes: at most those since the last {@link OverlayTrie#sync}, and no more than
 *     what came since the store last made everything durable by itself</td></tr>
 * <tr><td>{@link #NONE}</td><td>at once</td><td>all writes</td>
 *     <td>the newest writes: at most those since the last {@link OverlayTrie#sync}</td></tr>
 * </table>
 *
 * <p>In all of them a crash takes a suffix of the writes, in the order in which they took effect:
 * if a write is there after it, so is every write before. It takes each write whole or not at all,
 * batches and transactions included. {@link OverlayTrie#close} makes everything durable.
 *
 * <p>The last two are what is called buffered durable linearizability by Izraelevitz, Mendes and
 * Scott, <i>Linearizability of Persistent Memory Objects Under a Full-System-Crash Failure
 * Model</i>, DISC 2016; in the specifications they are {@code BufferedDurableMap.tla}, and the
 * others {@code DurableMap.tla}. With them a crash can take what others have seen and acted upon:
 * who tells the world of a write calls {@code sync()} first.
 *
 * <p>At most 16,384 changes, or 8 MiB of their records, are not durable at any time. A writer that
 * finds half of that makes everything durable before it returns, and all writers wait once it is
 * all of it.
 *
 * @param mode which of the four
 * @param delay how long {@link #group} may wait for others, or {@link #periodic} between two
 *     forces; zero for the other two
 */
public record Durability(Mode mode, Duration delay) {

  /** The kinds of durability. */
  public enum Mode {
    /** See {@link Durability#SYNC}. */
    SYNC,
    /** See {@link Durability#group}. */
    GROUP,
    /** See {@link Durability#periodic}. */
    PERIODIC,
    /** See {@link Durability#NONE}. */
    NONE
  }

  /**
   * A write returns once it is durable, and readers see only what is. A crash takes nothing back
   * that any call has returned. Concurrent writers share a force. The default.
   */
  public static final Durability SYNC = new Durability(Mode.SYNC, Duration.ZERO);

  /**
   * A write returns at once, unless too much is not durable, and readers see it at once. Durable is
   * what came before the last {@link OverlayTrie#sync} that returned, and perhaps more; a crash can
   * take all else. Nothing is forced but by {@code sync()}, by closing, and by writers that find
   * too much unforced.
   */
  public static final Durability NONE = new Durability(Mode.NONE, Duration.ZERO);

  /** Checks the range of the delay. */
  public Durability {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(delay, "delay");
    switch (mode) {
      case GROUP -> requireBetween(Duration.ofNanos(1_000), delay, Duration.ofSeconds(1));
      case PERIODIC -> requireBetween(Duration.ofMillis(1), delay, Duration.ofDays(1));
      default -> requireBetween(Duration.ZERO, delay, Duration.ZERO);
    }
  }

  private static void requireBetween(Duration least, Duration delay, Duration most) {
    if (delay.compareTo(least) < 0 || delay.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "the delay must be between " + least + " and " + most + ", but is " + delay);
    }
  }

  /**
   * As {@link #SYNC}, but before it writes the log, a thread waits up to {@code maxDelay} for
   * others that are likely to write soon, so that more writes share a force. It waits only until as
   * many writes have come as threads waited for the last force, served or not: a lone writer never
   * waits. Each write may take so much longer; for many writers on a disk with slow forces it takes
   * less time in all. Of databases that do the same, PostgreSQL ({@code commit_delay} with {@code
   * commit_siblings}) waits the whole time if others are active, MySQL ({@code
   * binlog_group_commit_sync_delay}) until a set number has come.
   *
   * @param maxDelay a microsecond to a second
   */
  public static Durability group(Duration maxDelay) {
    return new Durability(Mode.GROUP, maxDelay);
  }

  /**
   * As {@link #NONE}, but a thread of the store makes everything durable again and again, with a
   * pause of {@code interval} in between. A crash takes at most what was written since it last
   * began to do so: about an interval and the time of one force, if the machine keeps up; no
   * deadline is promised. If that fails, the store has failed, and the next write says so.
   *
   * @param interval a millisecond to a day
   */
  public static Durability periodic(Duration interval) {
    return new Durability(Mode.PERIODIC, interval);
  }

  /** Whether a write returns only once it is durable, and readers see only what is. */
  public boolean waits() {
    return mode == Mode.SYNC || mode == Mode.GROUP;
  }
}
