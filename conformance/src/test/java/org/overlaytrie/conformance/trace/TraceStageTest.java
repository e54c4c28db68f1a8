package org.overlaytrie.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.cli.Checkout;
import org.overlaytrie.conformance.cli.Progress;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.conformance.report.Findings;

class TraceStageTest {

  @TempDir Path directory;

  @Test
  void refusesFilesThatDoNotExistBeforeItChecksAny() throws Exception {
    Path recorded = Files.createFile(directory.resolve("program.trace"));
    Path misspelt = directory.resolve("progam.trace");
    StageContext context =
        new StageContext(
            new Checkout(directory),
            directory.resolve("work"),
            false,
            List.of(recorded.toString(), misspelt.toString()),
            Progress.SILENT,
            Findings.NONE);

    assertThatThrownBy(() -> new TraceStage().run(context))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("There is no file " + misspelt)
        .hasMessageContaining("Did you mean " + recorded + "?");
    assertThat(directory.resolve("work")).doesNotExist();
  }
}
