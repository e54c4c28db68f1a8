package org.overlaytrie.conformance.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Runs stages side by side as far as the cores suffice: whenever cores are free, the first stage in
 * the list that they suffice for and whose predecessors are done. For one thread.
 */
final class Scheduler {

  private final int cores;

  Scheduler(int cores) {
    this.cores = cores;
  }

  /**
   * Runs all stages and returns when all have ended. The runner is called on a thread of its own.
   */
  void run(List<Stage> stages, Consumer<Stage> runner) throws InterruptedException {
    List<Stage> waiting = new ArrayList<>(stages);
    Set<String> unfinished = new HashSet<>();
    stages.forEach(stage -> unfinished.add(stage.name()));
    BlockingQueue<Stage> ended = new LinkedBlockingQueue<>();
    int free = cores;
    int running = 0;
    while (!unfinished.isEmpty()) {
      for (Iterator<Stage> next = waiting.iterator(); next.hasNext(); ) {
        Stage stage = next.next();
        boolean ready = stage.after().stream().noneMatch(unfinished::contains);
        if (ready && need(stage) <= free) {
          next.remove();
          free -= need(stage);
          running++;
          start(stage, runner, ended);
        }
      }
      if (running == 0) {
        throw new IllegalStateException("stages that wait for each other: " + unfinished);
      }
      Stage done = ended.take();
      running--;
      free += need(done);
      unfinished.remove(done.name());
    }
  }

  private int need(Stage stage) {
    return Math.min(stage.cores(), cores);
  }

  private static void start(Stage stage, Consumer<Stage> runner, BlockingQueue<Stage> ended) {
    Runnable body =
        () -> {
          try {
            runner.accept(stage);
          } finally {
            ended.add(stage);
          }
        };
    new Thread(body, "stage " + stage.name()).start();
  }
}
