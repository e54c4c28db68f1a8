package org.overlaytrie.storage;

import java.io.IOException;
import java.nio.file.Path;
import org.overlaytrie.StoreLockedException;

/**
 * A process of its own that takes a directory, says {@code held} or {@code locked}, and ends when
 * its input does.
 */
public final class LockHolder {
  private LockHolder() {}

  /** Runs with the directory as its only argument. */
  public static void main(String[] arguments) throws IOException {
    try (Storage storage = FileStorage.open(Path.of(arguments[0]))) {
      System.out.println("held");
      while (System.in.read() >= 0) {
        storage.list();
      }
    } catch (StoreLockedException e) {
      System.out.println("locked: " + e.getMessage());
    }
  }
}
