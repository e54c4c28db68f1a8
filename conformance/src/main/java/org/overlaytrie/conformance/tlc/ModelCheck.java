package org.overlaytrie.conformance.tlc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.overlaytrie.conformance.report.ModelResult;
import org.overlaytrie.conformance.report.ModelResult.ActionCount;
import org.overlaytrie.conformance.report.ModelResult.Verdict;

/** Checks one model and says whether the result is the one that the manifest demands. */
final class ModelCheck {

  /** For searches that end within seconds, at the violation that they are for. */
  private static final List<String> QUICK_TO_START = List.of("-XX:TieredStopAtLevel=1");

  /** Doubles the time of a search. */
  private static final List<String> COUNT_ACTIONS = List.of("-coverage", "1");

  private ModelCheck() {}

  static ModelResult run(
      Path specs, Manifest.Entry entry, Path work, Duration timeout, LongConsumer distinctStates)
      throws IOException, InterruptedException {
    TlcJob job = job(specs, entry, timeout);
    if (!Files.exists(job.config())) {
      return missing(entry);
    }
    return judge(entry, Configuration.read(job.config()), TlcRunner.run(job, work, distinctStates));
  }

  private static ModelResult missing(Manifest.Entry entry) {
    return new ModelResult(
        entry.module(),
        entry.config(),
        entry.kind(),
        entry.expected(),
        Verdict.ERROR,
        entry.property(),
        List.of(),
        false,
        "manifest.json lists " + entry.config() + ".cfg, which does not exist",
        0,
        0,
        0,
        List.of(),
        List.of(),
        List.of());
  }

  static TlcJob job(Path specs, Manifest.Entry entry, Duration timeout) {
    Path file = specs.resolve(entry.config() + ".cfg");
    return new TlcJob(
        specs,
        rootModule(specs, entry),
        file,
        List.of(),
        entry.distinctStates() == null ? QUICK_TO_START : List.of(),
        entry.everyAction() ? COUNT_ACTIONS : List.of(),
        timeout);
  }

  /** The module of the configuration's own name if there is one, or else the model's main one. */
  private static String rootModule(Path specs, Manifest.Entry entry) {
    boolean own = Files.exists(specs.resolve(entry.config() + ".tla"));
    return own ? entry.config() : "MC" + entry.module();
  }

  static ModelResult judge(Manifest.Entry entry, Configuration configuration, TlcOutcome outcome) {
    String violated =
        outcome.verdict() == Verdict.VIOLATED ? configuration.violated(outcome.property()) : null;
    // A search that ended at a violation says nothing about what it did not reach.
    List<String> dead =
        outcome.actions().stream()
            .filter(action -> action.generated() == 0 && outcome.verdict() == Verdict.HOLDS)
            .map(ActionCount::action)
            .toList();
    String problem = problem(entry, outcome, violated, dead);
    return new ModelResult(
        entry.module(),
        entry.config(),
        entry.kind(),
        entry.expected(),
        outcome.verdict(),
        outcome.verdict() == Verdict.VIOLATED ? violated : entry.property(),
        configuration.all(),
        problem == null,
        problem,
        outcome.distinct(),
        outcome.depth(),
        outcome.seconds(),
        outcome.actions(),
        dead,
        outcome.counterexample());
  }

  private static String problem(
      Manifest.Entry entry, TlcOutcome outcome, String violated, List<String> dead) {
    if (outcome.verdict() == Verdict.ERROR) {
      return outcome.error();
    }
    if (outcome.verdict() == Verdict.DEADLOCK) {
      return "deadlock in state " + outcome.counterexample().size() + ", expected " + due(entry);
    }
    if (outcome.verdict() != entry.expected()) {
      return outcome.verdict() == Verdict.HOLDS
          ? "holds, expected " + due(entry)
          : Objects.requireNonNullElse(violated, "a property")
              + " is violated, expected "
              + due(entry);
    }
    if (violated == null && entry.property() != null) {
      return "TLC does not say which property is violated: let the configuration check only one";
    }
    if (!Objects.equals(violated, entry.property())) {
      return violated + " is violated, expected " + due(entry);
    }
    if (entry.distinctStates() != null && entry.distinctStates() != outcome.distinct()) {
      return counted("distinct states", outcome.distinct(), entry.distinctStates());
    }
    if (entry.diameter() != null && outcome.depth() > 0 && entry.diameter() != outcome.depth()) {
      return counted("a diameter of", outcome.depth(), entry.diameter());
    }
    if (entry.everyAction() && outcome.actions().isEmpty()) {
      return "TLC reports no action";
    }
    List<String> gathered =
        outcome.actions().stream().map(ActionCount::action).filter(ActionNames::gathers).toList();
    if (entry.everyAction() && !gathered.isEmpty()) {
      return "TLC cannot tell the actions behind "
          + String.join(", ", gathered)
          + " apart: let the next-state relation name each";
    }
    if (entry.everyAction() && !dead.isEmpty()) {
      return "actions that are never taken: " + String.join(", ", dead);
    }
    return null;
  }

  private static String due(Manifest.Entry entry) {
    return entry.expected() == Verdict.HOLDS
        ? "every property to hold"
        : "the violation of " + entry.property();
  }

  private static String counted(String what, long found, long expected) {
    return String.format("%s %,d, the manifest says %,d", what, found, expected);
  }
}
