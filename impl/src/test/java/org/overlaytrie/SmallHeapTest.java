package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A million puts, and reopening after them, in a JVM with a heap of 256 MiB. */
class SmallHeapTest {
  private static final int ENTRIES = 1_000_000;
  private static final int WRITERS = 64;

  @Test
  void aMillionPutsFitIntoAHeapOf256MiB(@TempDir Path directory) throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeapTest.class.getName(),
                directory.resolve("store").toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(output).isZero();
    assertThat(output).contains("all there");
  }

  /** The child: puts, reopens, compares. */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    try (var store = OverlayTrie.open(directory, Codecs.string(), Codecs.longs())) {
      List<Thread> writers = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        int first = w;
        Thread writer =
            new Thread(
                () -> {
                  for (int i = first; i < ENTRIES; i += WRITERS) {
                    store.put(key(i), (long) i);
                  }
                });
        writer.start();
        writers.add(writer);
      }
      for (Thread writer : writers) {
        writer.join();
      }
    }
    try (var store = OverlayTrie.open(directory, Codecs.string(), Codecs.longs())) {
      for (int i = 0; i < ENTRIES; i++) {
        if (!Long.valueOf(i).equals(store.get(key(i)))) {
          throw new AssertionError(key(i) + " holds " + store.get(key(i)));
        }
      }
      System.out.println(store.size() == ENTRIES ? "all there" : "size is " + store.size());
    }
  }

  private static String key(int i) {
    return "user/" + Integer.toUnsignedString(i * 0x9E3779B1, 36) + "/name";
  }
}
