package org.overlaytrie.conformance.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.overlaytrie.conformance.report.JcstressResult.Outcome;
import org.overlaytrie.conformance.report.JcstressResult.Result;

class JcstressOutputTest {

  private static final String PER_VARIANT =
      """
      .......... [OK] a.Good

        JVM args: [-XX:+UseBiasedLocking, -Xmx256m]
        RESULT  SAMPLES     FREQ      EXPECT  DESCRIPTION
          9, 9      110    0.07%   Forbidden  of one variant, counted in the results below
      (Results: 16 planned; 1 passed, 0 failed, 0 soft errs, 0 hard errs)
      """;

  private static final String RESULTS =
      """
      RUN RESULTS:
        Interesting tests: No matches.

        Failed tests: 2 matching test results.

      ...... [FAILED] a.Broken

        Results across all configurations:

        RESULT  SAMPLES     FREQ      EXPECT  DESCRIPTION
          0, 0  133,523   16.29%  Acceptable  not promoted yet
          1, 0       56   <0.01%   Forbidden  promoted, but the list is missing

        All remaining tests: 1 matching test results.

      .......... [OK] a.Good

        RESULT  SAMPLES     FREQ      EXPECT  DESCRIPTION
          0, 0        0    0.00%   Forbidden  the thread sleeps for ever
       2, 1, 1  978,982  100.00%  Acceptable  one after the other

      .......... [OK] a.NeverRan

        RESULT  SAMPLES     FREQ      EXPECT  DESCRIPTION

      ....... [ERROR] a.Crashed

        RESULT      SAMPLES     FREQ      EXPECT  DESCRIPTION
          0, 0           12  100.00%  Acceptable  before the JVM crashed
      """;

  private final JcstressOutput output = new JcstressOutput();

  @Test
  void readsEveryTestOnceWithItsOutcomes() {
    read();

    assertThat(output.tests()).containsOnlyKeys("a.Broken", "a.Good", "a.NeverRan", "a.Crashed");
    assertThat(output.tests().get("a.Good").outcomes())
        .isEqualTo(
            List.of(
                new Outcome("0, 0", 0, "FORBIDDEN", "the thread sleeps for ever"),
                new Outcome("2, 1, 1", 978_982, "ACCEPTABLE", "one after the other")));
    assertThat(output.tests().get("a.Broken").samples()).isEqualTo(133_579);
  }

  @Test
  void judgesByWhatWasSeen() {
    read();

    assertThat(output.tests().get("a.Broken").result()).isEqualTo(Result.FORBIDDEN);
    assertThat(output.tests().get("a.Good").result()).isEqualTo(Result.ALLOWED);
  }

  @Test
  void takesATestWithoutSamplesOrWithAnErrorForNoEvidence() {
    read();

    assertThat(output.tests().get("a.NeverRan").result()).isEqualTo(Result.ERROR);
    assertThat(output.tests().get("a.Crashed").result()).isEqualTo(Result.ERROR);
  }

  @Test
  void saysHowFarTheRunIs() {
    read();

    assertThat(output.progress())
        .isEqualTo("16 planned; 1 passed, 0 failed, 0 soft errs, 0 hard errs");
  }

  private void read() {
    PER_VARIANT.lines().forEach(output::read);
    RESULTS.lines().forEach(output::read);
  }
}
