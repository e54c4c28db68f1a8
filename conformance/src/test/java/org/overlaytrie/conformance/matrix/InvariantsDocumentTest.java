package org.overlaytrie.conformance.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The project's own matrix, as far as its sources alone decide it. */
class InvariantsDocumentTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @Test
  void saysWhatTheSourcesSay() throws IOException {
    assertThat(Files.readString(InvariantsDocument.file(ROOT)))
        .as("docs/INVARIANTS.md; generate it again with %s", InvariantsDocument.REGENERATE)
        .isEqualTo(InvariantsDocument.text(Links.collect(ROOT)));
  }

  @Test
  void everyNameInTheSourcesLeadsSomewhere() throws IOException {
    assertThat(Links.collect(ROOT).problems()).isEmpty();
  }
}
