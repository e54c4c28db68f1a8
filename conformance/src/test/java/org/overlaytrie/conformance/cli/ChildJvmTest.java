package org.overlaytrie.conformance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChildJvmTest {

  @TempDir Path directory;

  @Test
  void aChildAndItsOwnChildEndWhenTheParentIsKilled() throws Exception {
    Path log = directory.resolve("log");
    List<Long> processes = new ArrayList<>();
    Process parent = start(Parent.class, directory.toString(), log.toString());
    try {
      LineTail tail = new LineTail(log);
      while (processes.size() < 2) {
        assertThat(parent.waitFor(10, TimeUnit.MILLISECONDS)).as("the parent has ended").isFalse();
        tail.next().forEach(line -> processes.add(Long.valueOf(line)));
      }
      parent.destroyForcibly().waitFor();
      for (Long process : processes) {
        awaitEnd(process); // for ever, if it does not
      }
    } finally {
      parent.destroyForcibly();
      processes.forEach(id -> ProcessHandle.of(id).ifPresent(ProcessHandle::destroyForcibly));
    }
  }

  @Test
  void aProgramFindsItsInputEmptyAndItsFailureIsTheExitStatus() throws Exception {
    Path log = directory.resolve("log");
    try (ChildJvm child =
        new ChildJvm.Builder().classPath(classPath()).main(Reader.class.getName()).start(log)) {
      assertThat(child.awaitExit(Duration.ofMinutes(1))).isTrue();
      assertThat(child.exitStatus()).isEqualTo(1);
    }
    assertThat(log).content().contains("java.io.IOException: read -1");
  }

  /** The lock that a process holds outlives it in no case. */
  private void awaitEnd(long process) throws IOException {
    try (FileChannel file =
            FileChannel.open(directory.resolve("lock-" + process), StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      assertThat(lock.isValid()).isTrue();
    }
  }

  private static Process start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).inheritIO().start();
  }

  private static List<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  /** Starts a child and waits to be killed. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] arguments) throws Exception {
      try (ChildJvm child =
          new ChildJvm.Builder()
              .classPath(classPath())
              .main(Sleeper.class.getName())
              .arguments(List.of(arguments[0], "and a child"))
              .start(Path.of(arguments[1]))) {
        assertThat(child.awaitExit(Duration.ofDays(1))).isTrue();
      }
    }
  }

  /** Takes a lock, says which process it is, and sleeps; before, may start another such process. */
  static final class Sleeper {
    private Sleeper() {}

    public static void main(String[] arguments) throws Exception {
      long id = ProcessHandle.current().pid();
      try (FileChannel file =
              FileChannel.open(
                  Path.of(arguments[0], "lock-" + id),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock lock = file.lock()) {
        System.out.println(id);
        if (arguments.length > 1) {
          start(Sleeper.class, arguments[0]);
        }
        new CountDownLatch(lock.isValid() ? 1 : 0).await();
      }
    }
  }

  /** Fails when its input ends. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws IOException {
      int read = System.in.read();
      if (read < 0) {
        throw new IOException("read " + read);
      }
    }
  }
}
