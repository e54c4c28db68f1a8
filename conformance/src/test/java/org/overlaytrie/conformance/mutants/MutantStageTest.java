package org.overlaytrie.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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

class MutantStageTest {

  @TempDir private Path root;

  private void run(String... arguments) throws IOException, InterruptedException {
    new MutantStage()
        .run(
            new StageContext(
                new Checkout(root),
                root.resolve("work"),
                false,
                List.of(arguments),
                Progress.SILENT,
                Findings.NONE));
  }

  @Test
  void refusesNamesOfNoMutantAndNoInvariant() throws IOException {
    Path mutants = Files.createDirectories(root.resolve("conformance/mutants"));
    Files.writeString(
        mutants.resolve("OpenInv-limit.patch"),
        """
        Invariant: Gates!OpenInv
        Guard: The limit.
        Killed-by: GateTest#opens

        --- a/Gate.java
        +++ b/Gate.java
        @@ -1 +1 @@
        -a
        +b
        """);
    assertThatThrownBy(() -> run("OpenInv-limit", "ShutInv"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("ShutInv");
    assertThatThrownBy(() -> run("OpenInv-limt"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("Did you mean OpenInv-limit?");
    for (String known : List.of("OpenInv-limit", "OpenInv", "Gates!OpenInv")) {
      assertThatThrownBy(() -> run(known))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("is not built");
    }
  }

  @Test
  void doesNotPassWithoutMutants() throws IOException {
    Files.createDirectories(root.resolve("conformance/mutants"));
    assertThatThrownBy(this::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no mutants");
  }
}
