package org.overlaytrie.conformance.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.overlaytrie.Codecs;
import org.overlaytrie.OverlayTrie;
import org.overlaytrie.Transaction;

/**
 * What it takes to abort and to commit a transaction with 1,000 staged writes: the call alone, and
 * as the base of both what it takes to stage them. Rounds alternate.
 *
 * <p>Usage: {@code TransactionEnds [ROUNDS]}.
 */
public final class TransactionEnds {
  private static final int WARM_UP_ROUNDS = 100;
  private static final int STAGED = 1_000;
  private static final int ENTRIES = 100_000;

  private TransactionEnds() {}

  /** Prints the medians in microseconds and the ratio with its spread. */
  public static void main(String[] args) throws Exception {
    int measured = args.length > 0 ? Integer.parseInt(args[0]) : 101;
    List<double[]> rounds = new ArrayList<>();
    try (LoadedStore<String> loaded =
        LoadedStore.load(ENTRIES, Codecs.string(), KeyKind.RANDOM::key)) {
      OverlayTrie<String, String> store = loaded.map();
      for (int round = 0; round < WARM_UP_ROUNDS + measured; round++) {
        double[] abort = micros(store, round, Transaction::abort);
        double[] commit = micros(store, round, Transaction::commit);
        if (round >= WARM_UP_ROUNDS) {
          rounds.add(new double[] {abort[0], abort[1], commit[1], 100 * abort[1]});
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d staged writes, medians: staging %.1f us, abort %.2f us, commit %.1f us%n",
        STAGED,
        median(rounds, 0),
        median(rounds, 1),
        median(rounds, 2));
    System.out.println(Ratios.describe("abort, in % of commit", rounds, 3, 2));
  }

  /** Of staging and of the end. */
  private static double[] micros(
      OverlayTrie<String, String> store, int round, Consumer<Transaction<String, String>> end) {
    try (Transaction<String, String> transaction = store.begin()) {
      long start = System.nanoTime();
      for (int i = 0; i < STAGED; i++) {
        transaction.put(KeyKind.RANDOM.key(round * STAGED + i), KeyKind.value(i));
      }
      long staged = System.nanoTime();
      end.accept(transaction);
      long ended = System.nanoTime();
      return new double[] {(staged - start) / 1e3, (ended - staged) / 1e3};
    }
  }

  private static double median(List<double[]> rounds, int arm) {
    double[] sorted = rounds.stream().mapToDouble(r -> r[arm]).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
