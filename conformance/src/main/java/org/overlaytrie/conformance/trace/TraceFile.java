package org.overlaytrie.conformance.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.TraceRecorder;
import org.overlaytrie.spec.TraceRecorder.Kind;

/** Reads what {@link TraceRecorder} wrote; its Javadoc has the format. */
final class TraceFile {
  private static final Kind[] KINDS = Kind.values();
  private static final OperationKind[] OPERATIONS = OperationKind.values();

  private final Path file;
  private final ByteBuffer bytes;
  private final TreeMap<Integer, TreeMap<Long, ThreadLog>> runs = new TreeMap<>();

  /** All keys that the trace names, in their order, and how they are shown. */
  private final TreeMap<byte[], String> keys = new TreeMap<>(Arrays::compareUnsigned);

  /** Batches whose text depends on the keys of the whole trace. */
  private final List<UnfinishedBatch> batches = new ArrayList<>();

  private record UnfinishedBatch(List<TraceEvent> events, int index, RecordedBatch batch) {
    void finish(TreeMap<byte[], String> keys) {
      TraceEvent event = events.get(index);
      events.set(
          index,
          new TraceEvent(
              event.run(),
              event.thread(),
              event.number(),
              event.kind(),
              event.numbers(),
              List.of(batch.text(keys))));
    }
  }

  private static final class ThreadLog {
    final List<TraceEvent> events = new ArrayList<>();
    long chunks;
  }

  private TraceFile(Path file, ByteBuffer bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /**
   * The whole trace.
   *
   * @throws TraceProblem if the file is not a trace, is damaged, or was too small for all events
   */
  static Trace read(Path file) throws IOException, TraceProblem {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = Math.min(channel.size(), Integer.MAX_VALUE);
      ByteBuffer bytes =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, size).order(ByteOrder.LITTLE_ENDIAN);
      return new TraceFile(file, bytes).readAll();
    }
  }

  /** How many chunks of the file are in use; 0 if there is no trace yet. */
  static long chunks(Path file) throws IOException {
    if (!Files.exists(file) || Files.size(file) < TraceRecorder.HEADER_BYTES) {
      return 0;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel
          .map(FileChannel.MapMode.READ_ONLY, 0, TraceRecorder.HEADER_BYTES)
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong(TraceRecorder.NEXT_CHUNK_AT);
    }
  }

  private Trace readAll() throws TraceProblem {
    if (bytes.capacity() < TraceRecorder.HEADER_BYTES || bytes.getLong(0) != TraceRecorder.MAGIC) {
      throw new TraceProblem(file + " is not a trace");
    }
    long lost = bytes.getLong(TraceRecorder.LOST_AT);
    if (lost != 0) {
      throw new TraceProblem(
          file
              + " is cut off: at least "
              + lost
              + " events found no room in it. Record again with -D"
              + TraceRecorder.SIZE_PROPERTY
              + "=N, N greater than "
              + (bytes.capacity() >> 20));
    }
    long chunkBytes = bytes.getLong(TraceRecorder.CHUNK_BYTES_AT);
    long end = TraceRecorder.HEADER_BYTES + bytes.getLong(TraceRecorder.NEXT_CHUNK_AT) * chunkBytes;
    require(chunkBytes > 0 && end <= bytes.capacity(), TraceRecorder.CHUNK_BYTES_AT);
    for (long at = TraceRecorder.HEADER_BYTES; at < end; ) {
      long head = bytes.getLong((int) at);
      // Zero: the process was killed between claiming the chunk and writing its head.
      long count = Math.max(1, head >>> 32);
      require(at + count * chunkBytes <= end, at);
      if (head != 0) {
        readChunk((int) head, (int) at, (int) (at + count * chunkBytes));
      }
      at += count * chunkBytes;
    }
    batches.forEach(batch -> batch.finish(keys));
    return new Trace(
        runs.entrySet().stream()
            .map(
                run ->
                    Trace.Run.of(
                        run.getKey(),
                        run.getValue().values().stream().map(log -> log.events).toList()))
            .toList());
  }

  private void readChunk(int run, int begin, int end) throws TraceProblem {
    ThreadLog log =
        runs.computeIfAbsent(run, r -> new TreeMap<>())
            .computeIfAbsent(bytes.getLong(begin + 8), t -> new ThreadLog());
    // A thread claims its next chunk only after it has written the one before.
    require(bytes.getLong(begin + 16) == log.chunks++, begin);
    int at = begin + TraceRecorder.CHUNK_HEAD_BYTES;
    while (at + 8 <= end && bytes.getLong(at) != 0) {
      at = readEvent(run, bytes.getLong(begin + 8), at, end, log.events);
    }
  }

  private int readEvent(int run, long thread, int begin, int end, List<TraceEvent> events)
      throws TraceProblem {
    long head = bytes.getLong(begin);
    int code = (int) (head & 0xff) - 1;
    int arrayCount = (int) (head >>> 8 & 0xff);
    long numberCount = head >>> 16;
    require(code < KINDS.length, begin);
    Kind kind = KINDS[code];
    require(arrayCount == kind.arrays(), begin);
    require(kind.numbers() < 0 || kind.numbers() == numberCount, begin);
    require(begin + 8 + 8 * numberCount <= end, begin);
    int at = begin + 8;
    List<Long> numbers = new ArrayList<>((int) numberCount);
    for (int i = 0; i < numberCount; i++, at += 8) {
      numbers.add(bytes.getLong(at));
    }
    List<String> texts = new ArrayList<>(arrayCount);
    for (int i = 0; i < arrayCount; i++) {
      require(at + 8 <= end, begin);
      long length = bytes.getLong(at);
      at += 8;
      require(length <= end - at, begin);
      byte[] array = null;
      if (length >= 0) {
        array = new byte[(int) length];
        bytes.get(at, array);
        at += (int) ((length + 7) & ~7L);
      }
      texts.add(Bytes.show(array));
      if (i == 0) {
        noteKeys(kind, array, events, begin);
      }
    }
    if (kind == Kind.INVOKE) {
      long operation = numbers.remove(0);
      require(operation >= 0 && operation < OPERATIONS.length, begin);
      texts.add(0, OPERATIONS[(int) operation].name());
    }
    events.add(new TraceEvent(run, thread, events.size() + 1, kind, numbers, texts));
    return at;
  }

  /** Of an event that is about to be added, the keys in its first array. */
  private void noteKeys(Kind kind, byte[] array, List<TraceEvent> events, int at)
      throws TraceProblem {
    if (kind == Kind.INVOKE_BATCH) {
      try {
        RecordedBatch batch = new RecordedBatch(array);
        batches.add(new UnfinishedBatch(events, events.size(), batch));
        batch.keys().forEach(key -> keys.put(key, Bytes.show(key)));
      } catch (RuntimeException e) {
        throw new TraceProblem(file + " is damaged at offset " + at + ": " + e.getMessage());
      }
    } else if ((kind == Kind.INVOKE || kind == Kind.READ_VISIBLE || kind == Kind.READ_TIP)
        && array != null) {
      keys.put(array, Bytes.show(array));
    }
  }

  private void require(boolean condition, long at) throws TraceProblem {
    if (!condition) {
      throw new TraceProblem(file + " is damaged at offset " + at);
    }
  }
}
