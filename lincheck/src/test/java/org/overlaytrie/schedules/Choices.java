package org.overlaytrie.schedules;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Who decides when several threads could move. */
interface Choices {

  /** One of {@code 0..count-1}; 0 stands for the thread that moved last, if it still can. */
  int choose(int count);

  /** Whether there is another execution to run, after one that ran to its end. */
  boolean advance();

  /** Every combination, depth first. */
  final class All implements Choices {
    private final List<int[]> path = new ArrayList<>(); // each {chosen, count}
    private int depth;

    @Override
    public int choose(int count) {
      if (depth == path.size()) {
        path.add(new int[] {0, count});
      }
      int[] choice = path.get(depth++);
      if (choice[1] != count) {
        throw new IllegalStateException("the scenario does not behave the same when run again");
      }
      return choice[0];
    }

    @Override
    public boolean advance() {
      depth = 0;
      while (!path.isEmpty()) {
        int[] last = path.get(path.size() - 1);
        if (++last[0] < last[1]) {
          return true;
        }
        path.remove(path.size() - 1);
      }
      return false;
    }
  }

  /** Random ones: usually the thread that moved last, sometimes any other. */
  final class Seeded implements Choices {
    private final Random random;
    private int left;

    Seeded(long seed, int executions) {
      random = new Random(seed);
      left = executions;
    }

    @Override
    public int choose(int count) {
      return random.nextInt(4) > 0 ? 0 : random.nextInt(count);
    }

    @Override
    public boolean advance() {
      return --left > 0;
    }
  }
}
