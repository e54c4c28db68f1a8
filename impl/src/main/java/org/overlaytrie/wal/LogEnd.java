package org.overlaytrie.wal;

/**
 * Where the log ends, as recovery found it.
 *
 * @param segment the header of the last segment
 * @param offset where in it the next frame belongs
 * @param checksum what the next frame must name as the checksum before it
 * @param incarnation the last one, 0 if there was none
 * @param lastLsn the LSN of the last record, 0 if there is none
 * @param firstUnproven the first place whose frame no later one proves durable
 */
record LogEnd(
    SegmentHeader segment,
    long offset,
    int checksum,
    long incarnation,
    long lastLsn,
    Place firstUnproven) {

  /** A place in the log. */
  record Place(int segment, long offset) {}
}
