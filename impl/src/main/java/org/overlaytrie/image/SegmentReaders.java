package org.overlaytrie.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.overlaytrie.storage.Storage;

/**
 * The segments that are open for reading: those that were used last, as a process may have only so
 * many files open. Thread-safe; different segments are read at the same time.
 */
final class SegmentReaders {
  /** How many segments are open at most. */
  static final int MAX_OPEN = 64;

  private final Storage storage;
  private final RecordFraming framing;

  /** By number, the one used last at the end; null once closed. Guarded by this. */
  private Map<Integer, SegmentReader> open = new LinkedHashMap<>(16, 0.75f, true);

  SegmentReaders(Storage storage, RecordFraming framing) {
    this.storage = storage;
    this.framing = framing;
  }

  /** The payload of a record. Errors as for {@link Image#read}. */
  byte[] read(int segment, long offset) {
    byte[] payload = null;
    while (payload == null) { // it may be closed before it is this thread's turn
      payload = reader(segment).read(offset);
    }
    return payload;
  }

  private synchronized SegmentReader reader(int segment) {
    if (open == null) {
      throw new IllegalStateException("the store is closed, so its image cannot be read");
    }
    SegmentReader reader = open.get(segment);
    if (reader == null) {
      closeLeastUsed();
      reader = SegmentReader.open(storage, framing, segment);
      open.put(segment, reader);
    }
    return reader;
  }

  private void closeLeastUsed() {
    if (open.size() == MAX_OPEN) {
      int leastUsed = open.keySet().iterator().next();
      try {
        open.remove(leastUsed).close();
      } catch (IOException e) {
        throw new UncheckedIOException("a segment could not be closed: " + e.getMessage(), e);
      }
    }
  }

  /** Closes those of the segments below {@code segment}; they may be opened again. */
  void closeBelow(int segment) throws IOException {
    List<SegmentReader> readers = new ArrayList<>();
    synchronized (this) {
      if (open != null) {
        for (int number : List.copyOf(open.keySet())) {
          if (number < segment) {
            readers.add(open.remove(number));
          }
        }
      }
    }
    closeAll(readers);
  }

  /** Closes all; later reads fail. Idempotent. */
  void close() throws IOException {
    List<SegmentReader> readers;
    synchronized (this) {
      readers = open == null ? List.of() : List.copyOf(open.values());
      open = null;
    }
    closeAll(readers);
  }

  /** Closes each of them, whatever becomes of the others. */
  private static void closeAll(List<SegmentReader> readers) throws IOException {
    IOException failure = null;
    for (SegmentReader reader : readers) {
      try {
        reader.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
