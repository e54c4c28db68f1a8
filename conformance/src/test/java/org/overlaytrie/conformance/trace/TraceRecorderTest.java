package org.overlaytrie.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.spec.OperationKind;
import org.overlaytrie.spec.TraceRecorder;
import org.overlaytrie.spec.TraceRecorder.Kind;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

/** What is recorded is read back whole, or said to be missing. */
class TraceRecorderTest {
  private static final int BYTES = 16 << 20;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("trace");
  }

  @Test
  void keepsEveryEventOfEveryThreadInItsOrder() throws Exception {
    int threads = 8;
    int events = 5_000;
    try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
      List<Thread> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Thread thread =
            new Thread(
                () -> {
                  for (long lsn = 1; lsn <= events; lsn++) {
                    recorder.commitVersion(lsn);
                  }
                });
        thread.start();
        running.add(thread);
      }
      for (Thread thread : running) {
        thread.join();
      }
    }
    Trace.Run run = TraceFile.read(file).runs().get(0);
    assertThat(run.threads()).hasSize(threads);
    List<Long> all = LongStream.rangeClosed(1, events).boxed().toList();
    for (List<TraceEvent> thread : run.threads()) {
      assertThat(thread).extracting(TraceEvent::lsn).isEqualTo(all);
      assertThat(thread).extracting(event -> (long) event.number()).isEqualTo(all);
    }
  }

  @Test
  void keepsTheArgumentsOfEveryKindOfEvent() throws Exception {
    try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
      recorder.readLog(4);
      recorder.openIncarnation(2);
      recorder.finishRecovery(4);
      recorder.invoke(OperationKind.REPLACE_IF, bytes("key"), bytes("old"), bytes("new"));
      recorder.commitVersion(5);
      recorder.observeNoOp(6);
      recorder.readVisible(7, bytes("key"), null);
      recorder.becomeLeader(9);
      recorder.enqueue(10);
      recorder.recheckVisible(11);
      recorder.park(12);
      recorder.collectBatch(13);
      recorder.writeFrame(2, 14, 15);
      recorder.forceLog(15);
      recorder.makeVisible(15);
      recorder.drainWaiters(new long[] {31, 32}, new long[] {16, 17});
      recorder.wakeServed(31, 16);
      recorder.handOver(32, 17, 11);
      recorder.releaseLeadership(12);
      recorder.recheckTip(18);
      recorder.answer(bytes("old"));
      recorder.failStore();
      recorder.answerFailure();
      recorder.closeTip(19);
      recorder.refuseClosed();
      recorder.writeClose(20);
      recorder.closeLog();
      LogRecord.Write range = new LogRecord.RemoveRange(bytes("key"), bytes("kez"));
      LogRecord.Write put = new LogRecord.Put(bytes("other"), bytes("1"));
      recorder.invokeBatch(
          new LogRecord.Batch(List.of(range, put, new LogRecord.Remove(bytes("gone")))));
      recorder.withdraw();
      recorder.invokeBatch(new LogRecord.RemoveRange(bytes("l"), null));
      Trie before = Trie.EMPTY.put(bytes("gone"), bytes("1")).put(bytes("kept"), bytes("2"));
      Trie after = before.remove(bytes("gone")).put(bytes("a"), bytes("3"));
      int written = 1 + 4 + 1 + 4 + 1 + 1 + 4 + 4; // a put, a removal
      recorder.invokeBatch(new LogRecord.Difference(before, after, 2, written));
    }
    assertThat(TraceFile.read(file).runs().get(0).threads().get(0))
        .extracting(event -> event.toString().replaceAll(", event.*", ""))
        .containsExactly(
            "ReadLog[4]",
            "OpenIncarnation[2]",
            "FinishRecovery[4]",
            "Invoke[REPLACE_IF, key, old, new]",
            "CommitVersion[5]",
            "ObserveNoOp[6]",
            "ReadVisible[7, key, null]",
            "BecomeLeader[9]",
            "Enqueue[10]",
            "RecheckVisible[11]",
            "Park[12]",
            "CollectBatch[13]",
            "WriteFrame[2, 14, 15]",
            "ForceLog[15]",
            "MakeVisible[15]",
            "DrainWaiters[31, 32, 16, 17]",
            "WakeServed[31, 16]",
            "HandOver[32, 17, 11]",
            "ReleaseLeadership[12]",
            "RecheckTip[18]",
            "Answer[old]",
            "FailStore[]",
            "AnswerFailure[]",
            "CloseTip[19]",
            "RefuseClosed[]",
            "WriteClose[20]",
            "CloseLog[]",
            "Invoke[%=key,other:1,gone]",
            "Withdraw[]",
            "Invoke[%=other]",
            "Invoke[a:3,gone]");
  }

  @Test
  void keepsAnEventThatIsLargerThanAChunk() throws Exception {
    byte[] key = new byte[1 << 16];
    try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
      recorder.commitVersion(1);
      recorder.invoke(OperationKind.PUT, key, null, bytes("value"));
      recorder.commitVersion(2);
    }
    assertThat(TraceFile.read(file).runs().get(0).threads().get(0))
        .extracting(TraceEvent::kind)
        .containsExactly(Kind.COMMIT_VERSION, Kind.INVOKE, Kind.COMMIT_VERSION);
  }

  @Test
  void ignoresAnEventWhoseFirstWordWasNotWritten() throws Exception {
    try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
      recorder.commitVersion(1);
      recorder.commitVersion(2);
    }
    int firstEvent = TraceRecorder.HEADER_BYTES + TraceRecorder.CHUNK_HEAD_BYTES;
    writeLong(firstEvent + 16, 0); // of the second event
    Trace.Run run = TraceFile.read(file).runs().get(0);
    assertThat(run.threads().get(0)).extracting(TraceEvent::lsn).containsExactly(1L);
    assertThat(run.closed()).as("the end of the recording lay behind it").isFalse();
  }

  @Test
  void passesOverAChunkThatWasClaimedAndNotBegun() throws Exception {
    try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
      recorder.commitVersion(1);
    }
    writeLong(TraceRecorder.NEXT_CHUNK_AT, 2);
    try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
      recorder.commitVersion(2);
    }
    assertThat(TraceFile.read(file).runs()).hasSize(2);
  }

  @Test
  void beginsARunAtEveryOpenOfTheSameFile() throws Exception {
    for (long lsn = 1; lsn <= 3; lsn++) {
      try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
        recorder.commitVersion(lsn);
      }
    }
    List<Trace.Run> runs = TraceFile.read(file).runs();
    assertThat(runs)
        .extracting(run -> run.threads().get(0).get(0).lsn())
        .containsExactly(1L, 2L, 3L);
    assertThat(runs).extracting(Trace.Run::number).containsExactly(1, 2, 3);
  }

  @Test
  void countsWhatIsRecordedAfterTheEndToTheRunThatEnded() throws Exception {
    TraceRecorder first = TraceRecorder.open(file, BYTES);
    first.commitVersion(1);
    first.close();
    try (TraceRecorder second = TraceRecorder.open(file, BYTES)) {
      second.commitVersion(3);
      first.commitVersion(2);
    }
    List<Trace.Run> runs = TraceFile.read(file).runs();
    assertThat(runs.get(0).threads().get(0)).extracting(TraceEvent::lsn).containsExactly(1L, 2L);
    assertThat(runs.get(0).closed()).isTrue();
  }

  @Test
  void saysThatEventsAreMissingWhenTheFileWasFull() throws Exception {
    try (TraceRecorder recorder = TraceRecorder.open(file, 64 << 10)) {
      for (long lsn = 1; lsn <= 10_000; lsn++) {
        recorder.commitVersion(lsn);
      }
    }
    assertThatThrownBy(() -> TraceFile.read(file))
        .isInstanceOf(TraceProblem.class)
        .hasMessageContaining("cut off")
        .hasMessageContaining("-Doverlaytrie.trace.megabytes=");
  }

  @Test
  void recordsOneStoreAtATimeInAFile() throws Exception {
    try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
      recorder.commitVersion(1);
      assertThatThrownBy(() -> TraceRecorder.open(file, BYTES))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("in use");
    }
    assertThat(TraceFile.read(file).runs()).hasSize(1);
  }

  @Test
  void leavesAFileThatIsNoTraceAlone() throws Exception {
    byte[] content =
        "not a trace, but somebody's notes".repeat(500).getBytes(StandardCharsets.UTF_8);
    Files.write(file, content);
    assertThatThrownBy(() -> TraceRecorder.open(file, BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not a trace");
    assertThat(Files.readAllBytes(file)).isEqualTo(content);
    assertThatThrownBy(() -> TraceFile.read(file)).isInstanceOf(TraceProblem.class);
  }

  @Test
  void namesThePlaceWhereATraceIsDamaged() throws Exception {
    try (TraceRecorder recorder = TraceRecorder.open(file, BYTES)) {
      recorder.commitVersion(1);
    }
    int firstEvent = TraceRecorder.HEADER_BYTES + TraceRecorder.CHUNK_HEAD_BYTES;
    writeLong(firstEvent, 99);
    assertThatThrownBy(() -> TraceFile.read(file))
        .isInstanceOf(TraceProblem.class)
        .hasMessageContaining("damaged at offset " + firstEvent);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void writeLong(long at, long value) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
      channel.write(word, at);
    }
  }
}
