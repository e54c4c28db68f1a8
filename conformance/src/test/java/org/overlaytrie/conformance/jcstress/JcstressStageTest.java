package org.overlaytrie.conformance.jcstress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.overlaytrie.conformance.cli.UsageException;

class JcstressStageTest {

  private static final List<String> TESTS =
      List.of("org.overlaytrie.commit.DrainMeetsEnqueue", "org.overlaytrie.commit.VisibleFollows");

  @Test
  void choosesBySimpleAndFullNamesAndRefusesOthers() {
    assertThat(JcstressStage.choose(TESTS, List.of())).isEqualTo(TESTS);
    assertThat(JcstressStage.choose(TESTS, List.of("VisibleFollows", TESTS.get(0))))
        .isEqualTo(TESTS);
    assertThatThrownBy(
            () -> JcstressStage.choose(TESTS, List.of("VisibleFollows", "DrainMeetEnqueue")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("There is no memory-model test DrainMeetEnqueue")
        .hasMessageContaining("Did you mean " + TESTS.get(0) + "?");
  }
}
