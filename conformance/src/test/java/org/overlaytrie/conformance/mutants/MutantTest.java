package org.overlaytrie.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutantTest {

  private static final String DIFF =
      """
      --- a/impl/A.java
      +++ b/impl/A.java
      @@ -1,3 +1,3 @@
       class A {
      -  int limit = 1;
      +  int limit = 2;
       }
      """;

  private static final String HEADER =
      """
      Invariant: Gates!OpenInv
      Guard: The limit, in one sentence: with a colon.
      Killed-by: org.A$B#one, org.C#two
      """;

  @Test
  void readsTheHeaderAndTheDiff() {
    Mutant mutant = Mutant.parse("OpenInv-limit", HEADER + "\n" + DIFF);
    assertThat(mutant.name()).isEqualTo("OpenInv-limit");
    assertThat(mutant.invariant()).isEqualTo("Gates!OpenInv");
    assertThat(mutant.guard()).isEqualTo("The limit, in one sentence: with a colon.");
    assertThat(mutant.killedBy()).containsExactly("org.A$B#one", "org.C#two");
    assertThat(mutant.changes()).hasSize(1);
    assertThat(mutant.changes().get(0).getToFile()).isEqualTo("impl/A.java");
    assertThat(mutant.text()).isEqualTo(HEADER + "\n" + DIFF);
  }

  @Test
  void refusesWhatIsNotInTheForm() {
    assertMalformed("OpenInv-limit", HEADER, "unified diff");
    assertMalformed("OpenInv-limit", HEADER.replace("Guard", "Gard") + DIFF, "lacks Guard");
    assertMalformed("OpenInv-limit", HEADER + "Note: x\n" + DIFF, "unknown in the header: [Note]");
    assertMalformed("OpenInv-limit", HEADER + HEADER + DIFF, "unexpected in the header");
    assertMalformed("OpenInv-limit", HEADER + "prose\n" + DIFF, "unexpected in the header: prose");
    assertMalformed("ShutInv-limit", HEADER + DIFF, "does not begin with the invariant's");
    assertMalformed(
        "OpenInv-limit", HEADER.replace("#two", "") + DIFF, "not of the form class#method: org.C");
    assertMalformed("OpenInv-limit", HEADER + "--- a/A.java\n+++ b/A.java\n", "the diff");
  }

  private static void assertMalformed(String name, String text, String problem) {
    assertThatThrownBy(() -> Mutant.parse(name, text))
        .isInstanceOf(MalformedMutantException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(problem);
  }

  @Test
  void readsADirectoryInTheOrderOfNames(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("OpenInv-b.patch"), HEADER + DIFF);
    Files.writeString(directory.resolve("OpenInv-a.patch"), HEADER + DIFF);
    Files.writeString(directory.resolve("README"), "not a mutant");
    assertThat(Mutant.readAll(directory))
        .extracting(Mutant::name)
        .containsExactly("OpenInv-a", "OpenInv-b");
  }

  @Test
  void doesNotTakeAnEmptyDirectoryForAGoodOne(@TempDir Path directory) {
    assertThatThrownBy(() -> Mutant.readAll(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no mutants");
  }
}
