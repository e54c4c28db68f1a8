package org.overlaytrie.conformance.tlc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActionNamesTest {

  @TempDir Path directory;
  private ActionNames names;

  @BeforeEach
  void writeAModule() throws Exception {
    Files.writeString(
        directory.resolve("M.tla"),
        """
        ThreadStep(w) ==
          \\/ Answer(w)
          \\/ \\E waiter \\in pending : HandOver(w, waiter)
          \\/ (Crashes /\\ Crash)
          \\/ /\\ Bound(w)
             /\\ MCInvoke(w)
        """);
    names = new ActionNames(directory);
  }

  @Test
  void keepsTheNameOfAnAction() {
    assertThat(names.resolve("Answer", "line 2, col 6 to line 2, col 14 of module M"))
        .isEqualTo("Answer");
  }

  @Test
  void findsTheActionBehindADefinitionThatGathersSome() {
    assertThat(names.resolve("ThreadStep", "line 3, col 6 to line 3, col 50 of module M"))
        .isEqualTo("HandOver");
    assertThat(names.resolve("MCNext", "line 4, col 6 to line 4, col 23 of module M"))
        .isEqualTo("Crash");
    assertThat(
            names.resolve("ThreadStep", "line 1, col 1 to line 1, col 13 of module M (3 6 3 50)"))
        .isEqualTo("HandOver");
  }

  @Test
  void dropsThePrefixOfADefinitionThatBoundsAnAction() {
    assertThat(names.resolve("MCInvoke", "line 6, col 4 to line 6, col 9 of module M"))
        .isEqualTo("Invoke");
    assertThat(names.resolve("ThreadStep", "line 5, col 6 to line 6, col 19 of module M"))
        .isEqualTo("Invoke");
  }

  @Test
  void keepsTheGatheringNameWhereTheModuleDoesNotTell() {
    assertThat(names.resolve("Next", "line 3, col 6 to line 3, col 50 of module Elsewhere"))
        .isEqualTo("Next");
    assertThat(names.resolve("Next", "line 99, col 6 to line 99, col 50 of module M"))
        .isEqualTo("Next");
    assertThat(ActionNames.gathers("RecoveryStep")).isTrue();
    assertThat(ActionNames.gathers("RecheckTip")).isFalse();
  }
}
