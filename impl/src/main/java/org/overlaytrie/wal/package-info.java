/**
 * The write-ahead log. A flush comes in through {@link org.overlaytrie.wal.WriteAheadLog}, which
 * makes its records into {@link org.overlaytrie.wal.Frame}s and appends them to a {@link
 * org.overlaytrie.wal.LogSegment}. An open goes through {@link org.overlaytrie.wal.StoreDirectory},
 * which finds or creates the files, and {@link org.overlaytrie.wal.LogReader}, which replays them
 * and decides where the log ends. The bytes are described in {@code docs/FORMAT.md}.
 */
package org.overlaytrie.wal;
