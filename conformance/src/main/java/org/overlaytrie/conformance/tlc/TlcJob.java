package org.overlaytrie.conformance.tlc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One run of TLC.
 *
 * @param directory where the modules are
 * @param module the root module, a file {@code <module>.tla} in the directory
 * @param config the configuration file, in any directory
 * @param overrides class path entries in front of TLC's own, for Java implementations of operators
 * @param jvmOptions options of TLC's JVM, e.g. {@code -Xmx1g} or system properties
 * @param tlcOptions further options of TLC; the number of workers is 1 unless they say otherwise
 * @param timeout after which the run is killed, and is an error
 */
public record TlcJob(
    Path directory,
    String module,
    Path config,
    List<Path> overrides,
    List<String> jvmOptions,
    List<String> tlcOptions,
    Duration timeout) {

  /** Copies the lists. */
  public TlcJob {
    overrides = List.copyOf(overrides);
    jvmOptions = List.copyOf(jvmOptions);
    tlcOptions = List.copyOf(tlcOptions);
  }
}
