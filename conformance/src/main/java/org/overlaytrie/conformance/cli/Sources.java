package org.overlaytrie.conformance.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Which sources a run saw. */
final class Sources {

  private Sources() {}

  /**
   * A hash over everything that the evidence depends on: the specifications and each module's
   * sources, POM and further inputs, by path and content.
   */
  static String fingerprint(Checkout checkout) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    for (Path file : files(checkout.root())) {
      String name = checkout.root().relativize(file).toString();
      digest.update(name.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update(Files.readAllBytes(file));
      digest.update((byte) 0);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> tree = Files.walk(root)) {
      return tree.filter(path -> isSource(root.relativize(path)))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  /** Specifications, and in each module all but what is built; hidden files never. */
  private static boolean isSource(Path path) {
    for (Path part : path) {
      if (part.toString().startsWith(".") || part.toString().equals("target")) {
        return false;
      }
    }
    String first = path.getName(0).toString();
    return !first.equals("docs") && (path.getNameCount() > 1 || first.equals("pom.xml"));
  }

  /** The commit, with {@code +changes} if files differ from it; {@code unknown} without Git. */
  static String commit(Checkout checkout) throws InterruptedException {
    try {
      String commit = git(checkout, "rev-parse", "--short=12", "HEAD");
      return git(checkout, "status", "--porcelain").isEmpty() ? commit : commit + "+changes";
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String git(Checkout checkout, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of("git", "-C", checkout.root().toString()), Stream.of(arguments))
            .toList();
    Process git =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!git.waitFor(1, TimeUnit.MINUTES) || git.exitValue() != 0) {
      throw new IOException(command + " failed");
    }
    return output.strip();
  }
}
