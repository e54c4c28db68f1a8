package org.overlaytrie.storage;

import java.io.IOException;

/**
 * Runs file-channel calls where no interrupt can reach them: a channel closes itself when the
 * thread that uses it is interrupted, so the call is made by a fresh thread that nobody else knows.
 */
final class Uninterrupted {

  /** What is run. */
  interface Call {
    void run() throws IOException;
  }

  private Uninterrupted() {}

  /** Runs {@code call} to its end; an interrupt of the caller is kept for the caller. */
  static void run(Call call) throws IOException {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        new Thread(
            () -> {
              try {
                call.run();
              } catch (Throwable e) {
                failure[0] = e;
              }
            },
            "overlay-trie-io");
    thread.setDaemon(true);
    thread.start();
    joinUninterruptibly(thread);
    rethrow(failure[0]);
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void rethrow(Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }
}
