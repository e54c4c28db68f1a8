package org.overlaytrie.conformance.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Shows what is going on. On a terminal a line per running stage stands below the lines that stay,
 * and is kept up to date; elsewhere a step is printed now and then. Safe for use by several
 * threads.
 */
final class Console {

  private static final Duration STEP_EVERY = Duration.ofSeconds(20);
  private static final String CLEAR_BELOW = "\u001b[J";

  private final PrintStream out;
  private final boolean terminal;
  private final int columns;
  private final long startNanos = System.nanoTime();
  private final Map<String, Running> running = new LinkedHashMap<>();
  private int linesDrawn;

  Console(PrintStream out, boolean terminal, int columns) {
    this.out = out;
    this.terminal = terminal;
    this.columns = columns;
  }

  private static final class Running {
    final long startNanos = System.nanoTime();
    final Duration expected;
    long printedNanos = startNanos;
    String step = "";

    Running(Duration expected) {
      this.expected = expected;
    }

    String line(String stage, long now) {
      String time = clock(now - startNanos) + " of about " + clock(expected.toNanos());
      return String.format("%-9s %s  %s", stage, time, step);
    }
  }

  /** A stage begins; its progress goes through the returned object. */
  synchronized Progress begin(String stage, Duration expected) {
    running.put(stage, new Running(expected));
    if (!terminal) {
      print(stage, "begins, about " + clock(expected.toNanos()));
    }
    return new Progress() {
      @Override
      public void step(String what) {
        showStep(stage, what);
      }

      @Override
      public void note(String line) {
        print(stage, line);
      }
    };
  }

  /** A stage has ended. */
  synchronized void end(String stage, String how) {
    running.remove(stage);
    print(stage, how);
  }

  private synchronized void showStep(String stage, String what) {
    Running current = running.get(stage);
    if (current == null) {
      return;
    }
    current.step = what;
    long now = System.nanoTime();
    if (!terminal && now - current.printedNanos >= STEP_EVERY.toNanos()) {
      current.printedNanos = now;
      print(stage, what);
    }
  }

  private synchronized void print(String stage, String line) {
    erase();
    line.lines()
        .forEach(
            one -> out.printf("[%s] %-9s %s%n", clock(System.nanoTime() - startNanos), stage, one));
    draw();
  }

  /** Brings the lines below up to date; to be called a few times a second. */
  synchronized void refresh() {
    if (terminal) {
      erase();
      draw();
    }
  }

  private void erase() {
    if (linesDrawn > 0) {
      out.print("\u001b[" + linesDrawn + "A\r" + CLEAR_BELOW);
      linesDrawn = 0;
    }
  }

  private void draw() {
    if (terminal) {
      long now = System.nanoTime();
      running.forEach((stage, current) -> out.println(cut("  " + current.line(stage, now))));
      linesDrawn = running.size();
    }
    out.flush();
  }

  private String cut(String line) {
    return line.length() < columns ? line : line.substring(0, columns - 1);
  }

  /** Minutes and seconds. */
  static String clock(long nanos) {
    long seconds = nanos / 1_000_000_000L;
    return String.format("%d:%02d", seconds / 60, seconds % 60);
  }
}
