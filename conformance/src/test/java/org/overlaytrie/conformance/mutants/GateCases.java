package org.overlaytrie.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.overlaytrie.conformance.mutants.fixture.Gate;
import org.overlaytrie.conformance.mutants.fixture.Turnstile;

/** The tests that the mutants of {@link Gate} name; run in child JVMs only. */
@Tag("fixture")
class GateCases {

  @ParameterizedTest
  @ValueSource(ints = {11, 1000})
  void stopsWhatIsAboveTheLimit(int number) {
    assertThat(Gate.lets(number)).isFalse();
  }

  @Test
  void letsThroughWhatIsBelowTheLimit() {
    assertThat(Gate.lets(1)).isTrue();
  }

  @Test
  void knowsTheLimit() {
    assertThat(Turnstile.limit()).isEqualTo(10);
  }

  @Test
  void doesNotMakeTheSmallWait() {
    assertThat(Gate.waitsUntilLet(5)).isTrue();
  }

  @Test
  void failsWhateverTheGateDoes() {
    assertThat(Gate.lets(1)).isFalse();
  }
}
