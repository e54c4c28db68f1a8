package org.overlaytrie.conformance.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tla2sany.semantic.ExprOrOpArgNode;
import tlc2.overrides.Evaluation;
import tlc2.overrides.TLAPlusOperator;
import tlc2.tool.EvalControl;
import tlc2.tool.TLCState;
import tlc2.tool.coverage.CostModel;
import tlc2.tool.impl.Tool;
import tlc2.util.Context;
import tlc2.value.impl.BoolValue;
import tlc2.value.impl.IntValue;
import tlc2.value.impl.Value;

/**
 * What stands behind the first operators of {@code TraceSequencedCommit.tla}: it hands the lines of
 * the traces to TLC, and notes how far each was explained. Lives in TLC's process; system
 * properties say where it reads and writes.
 */
public final class TraceOperators {
  /** The system property that names the file with the lines of all traces. */
  static final String LINES_PROPERTY = "overlaytrie.trace.lines";

  /** The system property that names the file that tells how far each trace was explained. */
  static final String VERDICT_PROPERTY = "overlaytrie.trace.verdict";

  /** What stands behind the last line of each trace. */
  static final String END_OF_TRACE = "--";

  private static final String MODULE = "TraceSequencedCommit";
  private static final int STATES_SHOWN = 3;
  private static final TraceOperators GIVEN = new TraceOperators();

  private final List<List<Value>> traces = new ArrayList<>();
  private final List<Progress> progress = new ArrayList<>();
  // TLC evaluates its constants again and again: the sets must be there.
  private final Value writers;
  private final Value stages;
  private final Value waits;
  private final Value keys;
  private final Value values;

  /** How far TLC came with one trace, and the states that led there. */
  private static final class Progress {
    int reached;
    final Deque<TLCState> states = new ArrayDeque<>();
    Possible possible;
  }

  /** An expression of the last state, to be evaluated if it is asked for. */
  private record Possible(Tool tool, ExprOrOpArgNode expression, Context context, CostModel cost) {
    Value in(TLCState state) {
      return tool.eval(expression, context, state, TLCState.Empty, EvalControl.Clear, cost);
    }
  }

  private TraceOperators() {
    Set<String> writerNames = new HashSet<>();
    Set<String> stageNames = new HashSet<>();
    boolean rechecksTip = false;
    Set<String> keyNames = new HashSet<>();
    Set<String> valueNames = new HashSet<>();
    List<Value> lines = new ArrayList<>();
    try (BufferedReader reader =
        Files.newBufferedReader(Path.of(System.getProperty(LINES_PROPERTY)))) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        if (text.equals(END_OF_TRACE)) {
          traces.add(lines);
          progress.add(new Progress());
          lines = new ArrayList<>();
        } else {
          Line line = Line.decode(text);
          collect(line, writerNames, "thread", "threads", "stage");
          collect(line, stageNames, "stage");
          rechecksTip |= line.action().equals("RecheckTip");
          collect(line, keyNames, "key");
          collect(line, valueNames, "value", "expected");
          BatchText.mentioned(line.fields().getOrDefault("writes", ""))
              .forEach(
                  write -> {
                    keyNames.addAll(write.keys());
                    if (write.value() != null) {
                      valueNames.add(write.value());
                    }
                  });
          lines.add(LineValues.of(line));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    writers = LineValues.strings(writerNames);
    stages = LineValues.strings(stageNames);
    waits = rechecksTip ? BoolValue.ValTrue : BoolValue.ValFalse;
    keys = LineValues.strings(keyNames);
    values = LineValues.strings(valueNames);
    Runtime.getRuntime().addShutdownHook(new Thread(this::writeVerdict, "verdict"));
  }

  private static void collect(Line line, Set<String> found, String... fields) {
    for (String field : fields) {
      String text = line.fields().get(field);
      if (text != null) {
        found.addAll(List.of(field.equals("threads") ? text.split(",", -1) : new String[] {text}));
      }
    }
  }

  /** How many traces there are. */
  @TLAPlusOperator(identifier = "Traces", module = MODULE, warn = false)
  public static Value traces() {
    return IntValue.gen(GIVEN.traces.size());
  }

  /** How many lines a trace has. */
  @TLAPlusOperator(identifier = "Lines", module = MODULE, warn = false)
  public static Value lines(IntValue trace) {
    return IntValue.gen(GIVEN.traces.get(trace.val - 1).size());
  }

  /** One line of a trace. */
  @TLAPlusOperator(identifier = "LineOf", module = MODULE, warn = false)
  public static Value lineOf(IntValue trace, IntValue line) {
    return GIVEN.traces.get(trace.val - 1).get(line.val - 1);
  }

  /** The names of all threads. */
  @TLAPlusOperator(identifier = "TraceWriters", module = MODULE, warn = false)
  public static Value writers() {
    return GIVEN.writers;
  }

  /** The names of all stages. */
  @TLAPlusOperator(identifier = "TraceStages", module = MODULE, warn = false)
  public static Value stages() {
    return GIVEN.stages;
  }

  /** Whether the store is one whose writers wait: its leaders look at the tip again. */
  @TLAPlusOperator(identifier = "TraceWaits", module = MODULE, warn = false)
  public static Value waits() {
    return GIVEN.waits;
  }

  /** All keys. */
  @TLAPlusOperator(identifier = "TraceKeys", module = MODULE, warn = false)
  public static Value keys() {
    return GIVEN.keys;
  }

  /** All values that were to be written. */
  @TLAPlusOperator(identifier = "TraceValues", module = MODULE, warn = false)
  public static Value values() {
    return GIVEN.values;
  }

  /** Notes that a step explains a line; always true. */
  @Evaluation(definition = "Explained", module = MODULE, warn = false)
  public static Value explained(
      Tool tool,
      ExprOrOpArgNode[] arguments,
      Context context,
      TLCState before,
      TLCState after,
      int control,
      CostModel cost) {
    int trace = ((IntValue) tool.eval(arguments[0], context, before, after, control, cost)).val;
    int line = ((IntValue) tool.eval(arguments[1], context, before, after, control, cost)).val;
    GIVEN.note(
        GIVEN.progress.get(trace - 1),
        line,
        after,
        new Possible(tool, arguments[2], context, cost));
    return BoolValue.ValTrue;
  }

  private synchronized void note(Progress seen, int line, TLCState after, Possible possible) {
    if (line > seen.reached) {
      seen.reached = line;
      seen.possible = possible;
      seen.states.addLast(after.copy());
      if (seen.states.size() > STATES_SHOWN) {
        seen.states.removeFirst();
      }
    }
  }

  private synchronized void writeVerdict() {
    StringBuilder verdict = new StringBuilder();
    for (int i = 0; i < traces.size(); i++) {
      Progress seen = progress.get(i);
      if (seen.reached < traces.get(i).size()) {
        if (seen.possible != null) {
          verdict.append("Possible: ").append(seen.possible.in(seen.states.getLast())).append('\n');
        }
        TLCState before = null;
        for (TLCState state : seen.states) {
          verdict.append(before == null ? state.toString() : state.toString(before)).append('\n');
          before = state;
        }
      }
      verdict.append(END_OF_TRACE).append(seen.reached).append('\n');
    }
    try {
      Files.writeString(Path.of(System.getProperty(VERDICT_PROPERTY)), verdict);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
