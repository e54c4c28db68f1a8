package org.overlaytrie.conformance.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * One model, checked by TLC.
 *
 * @param module the module, e.g. {@code SequencedCommit}
 * @param config the configuration's name without extension
 * @param kind what the configuration is there for
 * @param expected how the run must end
 * @param result how it ended
 * @param property the invariant or property that was violated, or must be; null if none
 * @param properties the invariants and properties that the configuration checks
 * @param passed whether everything is as the manifest says
 * @param problem why not; null if passed
 * @param distinctStates distinct states found
 * @param diameter depth of the complete state graph search
 * @param seconds wall-clock time
 * @param actions how often each action was taken, in the module's order
 * @param deadActions the actions that were never taken, where the configuration must take all
 * @param counterexample the behaviour that violates the property; empty if there is none
 */
public record ModelResult(
    String module,
    String config,
    Kind kind,
    Verdict expected,
    Verdict result,
    String property,
    List<String> properties,
    boolean passed,
    @JsonInclude(JsonInclude.Include.NON_NULL) String problem,
    long distinctStates,
    int diameter,
    double seconds,
    List<ActionCount> actions,
    List<String> deadActions,
    List<Step> counterexample)
    implements Finding {

  /** What a configuration is there for. */
  public enum Kind {
    /** All properties hold. */
    HOLDS,
    /** One guard is removed, and TLC must refute the property that the guard upholds. */
    BUG,
    /** A state is claimed unreachable, and TLC must refute that. */
    REACH,
    /** A recorded execution is a behaviour of the module. */
    TRACE
  }

  /** How a run of TLC ends. */
  public enum Verdict {
    /** Every behaviour satisfies every property. */
    HOLDS,
    /** A property is violated. */
    VIOLATED,
    /** A state without successor was reached. */
    DEADLOCK,
    /** Not a statement about the model: parse or evaluation error, time-out, killed. */
    ERROR
  }

  /**
   * How often TLC took an action.
   *
   * @param action the action's name
   * @param distinct states that the action was the first to reach
   * @param generated how often it was taken
   */
  public record ActionCount(String action, long distinct, long generated) {}

  /**
   * One state of a counterexample.
   *
   * @param number 1 for the initial state
   * @param action the action that led here; {@code Back to state n} and {@code Stuttering} end an
   *     infinite behaviour
   * @param variables each variable's value in TLA+ notation, in the order that TLC gives
   */
  public record Step(int number, String action, Map<String, String> variables) {}
}
