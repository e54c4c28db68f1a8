package org.overlaytrie.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.overlaytrie.wal.LogFixture.put;
import static org.overlaytrie.wal.LogFixture.remove;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.wal.LogFixture.Opened;

class WriteAheadLogTest {

  @TempDir Path directory;

  @Test
  void aNewStoreIsEmptyAndInItsFirstIncarnation() throws IOException {
    Opened opened = LogFixture.open(directory);
    assertThat(opened.replayed()).isEmpty();
    assertThat(opened.log().lastLsn()).isZero();
    assertThat(opened.log().incarnation()).isEqualTo(1);
    opened.close();
    assertThat(LogFixture.content(directory)).isEmpty();
  }

  @Test
  void replaysEveryRecordInOrderOverManySegmentsAndIncarnations() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int incarnation = 1; incarnation <= 60; incarnation++) {
      Opened opened = LogFixture.open(directory);
      assertThat(opened.replayed()).isEqualTo(expected);
      assertThat(opened.log().incarnation()).isEqualTo(incarnation);
      List<LogRecord> records = new ArrayList<>();
      for (int i = 0; i < incarnation % 7; i++) {
        records.add(put("key " + incarnation + "." + i, "value".repeat(i * incarnation)));
        records.add(remove("key " + i));
      }
      opened.log().append(opened.log().lastLsn() + 1, records);
      opened.log().force();
      records.forEach(record -> expected.add(LogFixture.describe(record)));
      if (incarnation % 3 == 0) {
        opened.close();
      } else {
        opened.kill();
      }
    }
    assertThat(directory.resolve("wal-00000005.log")).exists();
  }
}
