package org.overlaytrie.conformance.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A Java process of its own, with the JDK that runs this one; its output goes to a log file. It
 * never outlives this process: an interrupt of the command kills it, with all its descendants, and
 * if this process is killed, the child notices ({@link ChildMain}).
 */
public final class ChildJvm implements AutoCloseable {

  private static final Set<ChildJvm> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(ChildJvm::kill), "kill children"));
  }

  private final Process process;

  private ChildJvm(Process process) {
    this.process = process;
  }

  /** How to start a child. */
  public static final class Builder {
    private final List<String> options = new ArrayList<>();
    private final List<Path> classPath = new ArrayList<>();
    private final List<String> program = new ArrayList<>();
    private Path directory;

    /** Options of the JVM. */
    public Builder options(List<String> jvmOptions) {
      options.addAll(jvmOptions);
      return this;
    }

    /** The class path; earlier entries hide later ones. */
    public Builder classPath(List<Path> entries) {
      classPath.addAll(entries);
      return this;
    }

    /** The main class. */
    public Builder main(String className) {
      program.add(className);
      return this;
    }

    /** The program's arguments. */
    public Builder arguments(List<String> arguments) {
      program.addAll(arguments);
      return this;
    }

    /** The working directory; this process's own if not given. */
    public Builder directory(Path workingDirectory) {
      directory = workingDirectory;
      return this;
    }

    /** Starts the process; standard output and error go to the file, which is replaced. */
    public ChildJvm start(Path log) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(options);
      List<Path> entries = new ArrayList<>(classPath);
      entries.add(launcher(log.resolveSibling("launcher")));
      command.add("-cp");
      command.add(
          entries.stream()
              .map(entry -> entry.toAbsolutePath().toString())
              .collect(Collectors.joining(File.pathSeparator)));
      command.add(ChildMain.class.getName());
      command.addAll(program);
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(log.toFile());
      if (directory != null) {
        builder.directory(directory.toFile());
      }
      ChildJvm child = new ChildJvm(builder.start());
      RUNNING.add(child);
      return child;
    }

    /** Copies {@link ChildMain}, and nothing else, into a directory for the class path. */
    private static Path launcher(Path directory) throws IOException {
      String name = ChildMain.class.getName().replace('.', '/') + ".class";
      Path copy = directory.resolve(name);
      Files.createDirectories(copy.getParent());
      try (InputStream original = ChildMain.class.getResourceAsStream("/" + name)) {
        Files.copy(original, copy, StandardCopyOption.REPLACE_EXISTING);
      }
      return directory;
    }
  }

  /** Waits at most so long; returns whether the process has ended. */
  public boolean awaitExit(Duration atMost) throws InterruptedException {
    return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * The exit status.
   *
   * @throws IllegalThreadStateException if the process has not ended
   */
  public int exitStatus() {
    return process.exitValue();
  }

  /** The process identifier. */
  public long pid() {
    return process.pid();
  }

  private void kill() {
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
  }

  /** Kills the process and its descendants, if they have not ended. */
  @Override
  public void close() {
    kill();
    process.onExit().join();
    RUNNING.remove(this);
  }
}
