package org.overlaytrie.wal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.overlaytrie.spec.ProtocolEvents;
import org.overlaytrie.storage.FileStorage;
import org.overlaytrie.storage.Storage;

/** Opens logs for tests and writes down records so that they can be compared. */
final class LogFixture {

  static final StoreIdentity IDENTITY = new StoreIdentity("string", 1, "bytes", 2);
  static final UUID STORE_ID = new UUID(0x0123456789abcdefL, 0xfedcba9876543210L);
  static final int SEGMENT_BYTES = WriteAheadLog.MIN_SEGMENT_BYTES;

  private LogFixture() {}

  /** An open log with what it replayed, and the storage to close after it. */
  record Opened(Storage storage, StoreDirectory store, WriteAheadLog log, List<String> replayed) {
    /** Closes in order. */
    void close() throws IOException {
      log.close();
      storage.close();
    }

    /** Lets go of the files as a killed process does. */
    void kill() throws IOException {
      log.abandon();
      storage.close();
    }
  }

  static Opened open(Path directory) throws IOException {
    return open(FileStorage.open(directory), SEGMENT_BYTES, ProtocolEvents.NONE);
  }

  static Opened open(Storage storage, int segmentBytes, ProtocolEvents events) throws IOException {
    List<String> replayed = new ArrayList<>();
    try {
      StoreDirectory store =
          StoreDirectory.open(storage, IDENTITY, segmentBytes, events, () -> STORE_ID);
      WriteAheadLog log = WriteAheadLog.open(store, record -> replayed.add(describe(record)));
      return new Opened(storage, store, log, replayed);
    } catch (Throwable e) {
      storage.close();
      throw e;
    }
  }

  /** What the log in {@code directory} replays; leaves it closed. */
  static List<String> content(Path directory) throws IOException {
    Opened opened = open(directory);
    opened.close();
    return opened.replayed();
  }

  static LogRecord put(String key, String value) {
    return new LogRecord.Put(bytes(key), bytes(value));
  }

  static LogRecord remove(String key) {
    return new LogRecord.Remove(bytes(key));
  }

  static LogRecord.RemoveRange removeRange(String from, String to) {
    return new LogRecord.RemoveRange(bytes(from), to == null ? null : bytes(to));
  }

  static LogRecord batch(LogRecord... writes) {
    return new LogRecord.Batch(
        Arrays.stream(writes).map(write -> (LogRecord.Write) write).toList());
  }

  static String describe(LogRecord record) {
    if (record instanceof LogRecord.Put put) {
      return text(put.key()) + "=" + text(put.value());
    } else if (record instanceof LogRecord.Remove remove) {
      return "-" + text(remove.key());
    } else if (record instanceof LogRecord.RemoveRange range) {
      return "-" + text(range.from()) + ".." + (range.to() == null ? "" : text(range.to()));
    }
    return ((LogRecord.Batch) record)
        .writes().stream().map(LogFixture::describe).toList().toString();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
