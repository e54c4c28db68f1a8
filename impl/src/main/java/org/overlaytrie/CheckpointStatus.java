package org.overlaytrie;

/**
 * How a store's checkpoints are getting on, at one moment.
 *
 * @param checkpointLsn the LSN up to which the image alone is enough; 0 if there was no checkpoint
 * @param completed how many checkpoints have been made since the store was opened, without attempts
 *     that found nothing changed
 * @param failed how many have failed since the store was opened
 * @param lastFailure why the latest attempt failed; null if it did not
 * @param running whether one is being made
 * @param writtenEntries how many of the map's entries the one being made, or the latest, is done
 *     with
 * @param writtenBytes how many bytes the one being made, or the latest, has written to the image
 * @param logBytes how many bytes of disk the log takes
 */
public record CheckpointStatus(
    long checkpointLsn,
    long completed,
    long failed,
    Throwable lastFailure,
    boolean running,
    long writtenEntries,
    long writtenBytes,
    long logBytes) {}
