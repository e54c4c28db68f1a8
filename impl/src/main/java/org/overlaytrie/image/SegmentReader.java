package org.overlaytrie.image;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.UUID;
import org.overlaytrie.CorruptStoreException;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;
import org.overlaytrie.storage.StoreFiles;
import org.overlaytrie.trie.Addresses;

/**
 * One segment, open for reading. Records of one segment are read by one thread at a time. Most are
 * short: a first read takes what is likely to be all of the record, and only a longer one needs a
 * second.
 */
final class SegmentReader {
  private static final int FIRST_READ_BYTES = 4_096;

  private final String path;
  private final int number;
  private final RecordFraming framing;
  private final StorageFile file;
  private final byte[] buffer = new byte[FIRST_READ_BYTES];

  /** The length of the file when it was last asked for; it may have grown. */
  private long size;

  private boolean closed;

  private SegmentReader(String path, int number, RecordFraming framing, StorageFile file) {
    this.path = path;
    this.number = number;
    this.framing = framing;
    this.file = file;
  }

  /**
   * Opens the segment and checks its header.
   *
   * @throws CorruptStoreException if it is missing, or not that segment
   * @throws UncheckedIOException if it cannot be read
   */
  static SegmentReader open(Storage storage, RecordFraming framing, int number) {
    String name = StoreFiles.imageSegment(number);
    String path = storage.locate(name);
    StorageFile file;
    try {
      file = storage.open(name);
    } catch (NoSuchFileException e) {
      throw caused(
          new CorruptStoreException(path, 0, "a segment of the image expected, but it is missing"),
          e);
    } catch (IOException e) {
      throw unreadable(path, 0, e);
    }
    SegmentReader reader = new SegmentReader(path, number, framing, file);
    try {
      reader.requireHeader();
      return reader;
    } catch (Throwable e) {
      reader.closeAfter(e);
      throw e;
    }
  }

  private void requireHeader() {
    read(0, ImageHeader.BYTES, buffer, "the header of a segment");
    ImageHeader header = ImageHeader.decode(Arrays.copyOf(buffer, ImageHeader.BYTES));
    if (header == null) {
      throw damaged(0, "the header of a segment expected");
    }
    StoreFiles.requireKnownVersion(header.version(), path);
    UUID storeId = framing.storeId();
    if (header.number() != number || !header.storeId().equals(storeId)) {
      throw damaged(
          0,
          "the header of segment "
              + number
              + " of store "
              + storeId
              + " expected, not of segment "
              + header.number()
              + " of store "
              + header.storeId());
    }
  }

  /**
   * The payload of the record at {@code offset}; null if this reader is closed.
   *
   * @throws CorruptStoreException if there is no such record
   * @throws UncheckedIOException if it cannot be read
   */
  synchronized byte[] read(long offset) {
    if (closed) {
      return null;
    }
    int first = (int) Math.min(FIRST_READ_BYTES, available(offset, FIRST_READ_BYTES));
    read(offset, first, buffer, "a record");
    int length = RecordFraming.payloadLength(buffer, first);
    if (length == RecordFraming.INVALID) {
      throw damaged(offset, "a record expected");
    }
    int before = RecordFraming.bytesBefore(length);
    int total = before + length;
    byte[] record = buffer;
    if (total > first) {
      long available = available(offset, total);
      if (total > available) {
        throw damaged(
            offset,
            "a record of " + total + " bytes expected, but the file ends after " + available);
      }
      record = Arrays.copyOf(buffer, total);
      byte[] rest = new byte[total - first];
      read(offset + first, rest.length, rest, "the rest of a record");
      System.arraycopy(rest, 0, record, first, rest.length);
    }
    if (!framing.isIntact(Addresses.of(number, offset), record, total)) {
      throw damaged(offset, "a record with a checksum for this place expected");
    }
    return Arrays.copyOfRange(record, before, total);
  }

  /** How many bytes there are from {@code offset} on; exact if less than {@code wanted}. */
  private long available(long offset, int wanted) {
    if (size - offset < wanted) {
      try {
        size = file.size();
      } catch (IOException e) {
        throw unreadable(path, offset, e);
      }
    }
    return Math.max(0, size - offset);
  }

  private void read(long offset, int length, byte[] target, String what) {
    try {
      file.read(offset, target, 0, length);
    } catch (EOFException e) {
      throw caused(damaged(offset, what + " expected, but the file ends"), e);
    } catch (IOException e) {
      throw unreadable(path, offset, e);
    }
  }

  private CorruptStoreException damaged(long offset, String expectation) {
    return new CorruptStoreException(path, offset, expectation);
  }

  private static CorruptStoreException caused(CorruptStoreException corrupt, IOException cause) {
    corrupt.initCause(cause);
    return corrupt;
  }

  private static UncheckedIOException unreadable(String path, long offset, IOException cause) {
    return new UncheckedIOException(
        path + ", offset " + offset + ": cannot be read: " + cause.getMessage(), cause);
  }

  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Waits for a read under way. Idempotent. */
  synchronized void close() throws IOException {
    closed = true;
    file.close();
  }
}
