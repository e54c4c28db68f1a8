package org.overlaytrie.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.overlaytrie.trie.Trie;
import org.overlaytrie.wal.LogRecord;

class VersionTest {
  private static final LogRecord PUT = new LogRecord.Put(new byte[] {1}, new byte[] {2});

  @Test
  void aVersionThatIsVisibleKeepsNeitherOlderOnesNorItsChange() {
    Version version = Version.recovered(Trie.EMPTY, 0).next(PUT);
    assertThat(version.record()).isSameAs(PUT);
    version.cut();
    assertThat(version.record()).isNull();
    assertThat(version.previous()).isNull();
    assertThat(version.close().trie()).isSameAs(version.trie());
    assertThat(version.close().recordBytes()).isEqualTo(PUT.encodedBytes());
  }
}
