package org.overlaytrie.conformance.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What surrounds the command.
 *
 * @param checkout the project
 * @param out for what the user asked for
 * @param err for everything else, where the output is for a machine
 * @param outIsTerminal whether {@code out} is a terminal
 * @param errIsTerminal whether {@code err} is a terminal
 * @param columns the terminal's width
 * @param cores how many cores there are to share out
 * @param buildSeconds how long the build took that came before
 */
record Environment(
    Checkout checkout,
    PrintStream out,
    PrintStream err,
    boolean outIsTerminal,
    boolean errIsTerminal,
    int columns,
    int cores,
    double buildSeconds) {

  /** From the system properties that {@code verify.sh} sets. */
  static Environment ofProcess() {
    return new Environment(
        new Checkout(Path.of(System.getProperty("verify.root", "")).toAbsolutePath()),
        utf8(FileDescriptor.out),
        utf8(FileDescriptor.err),
        Boolean.getBoolean("verify.outIsTerminal"),
        Boolean.getBoolean("verify.errIsTerminal"),
        Integer.getInteger("verify.columns", 80),
        Runtime.getRuntime().availableProcessors(),
        Integer.getInteger("verify.buildSeconds", 0));
  }

  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
