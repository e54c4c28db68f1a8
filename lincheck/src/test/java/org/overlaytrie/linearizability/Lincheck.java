package org.overlaytrie.linearizability;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import kotlin.jvm.functions.Function1;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * How much is tried. {@code -Doverlaytrie.lincheck.invocations=N} sets how many interleavings of
 * each scenario.
 */
final class Lincheck {
  private static final int SCENARIOS = 10;

  private Lincheck() {}

  /** Interleavings chosen by Lincheck; for up to two operations, nearly all. */
  static ModelCheckingOptions modelChecking(int threads, int invocations) {
    // Below the commit protocol nothing is shared: the leader alone writes the log. To switch
    // threads there would only multiply interleavings that are the same. StackReserve recurses some
    // hundred times, which passes for a thread that goes round for ever.
    Function1<String, Boolean> unshared =
        name ->
            name.equals("org.overlaytrie.commit.StackReserve")
                || name.startsWith("org.overlaytrie.wal.")
                || name.startsWith("org.overlaytrie.trie.")
                || name.startsWith("org.overlaytrie.conformance.");
    return scenarios(new ModelCheckingOptions(), threads, invocations)
        .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(unshared).allMethods().ignore());
  }

  /** Free threads, as the machine runs them. */
  static StressOptions stress(int threads, int invocations) {
    return scenarios(new StressOptions(), threads, invocations);
  }

  private static <O extends Options<O, ?>> O scenarios(O options, int threads, int invocations) {
    return options
        .iterations(SCENARIOS)
        .invocationsPerIteration(
            Integer.getInteger("overlaytrie.lincheck.invocations", invocations))
        .threads(threads)
        .actorsPerThread(threads == 2 ? 3 : 2)
        .actorsBefore(1)
        .actorsAfter(1);
  }

  /** Every answer can be explained by the specification. */
  static void passes(Options<?, ?> options, Class<?> specification, Class<?> operations) {
    options.sequentialSpecification(specification).check(operations);
  }

  /** Some answer cannot, and Lincheck says so. */
  static void notices(Options<?, ?> options, Class<?> specification, Class<?> twin) {
    assertThatThrownBy(
            () ->
                options
                    .actorsBefore(0)
                    .minimizeFailedScenario(false)
                    .sequentialSpecification(specification)
                    .check(twin))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }
}
