package org.overlaytrie.conformance.jcstress;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.overlaytrie.conformance.cli.Checkout;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.spec.Checks;

/**
 * The runnable jar of the memory-model tests.
 *
 * @param file the jar
 */
record JcstressJar(Path file) {

  private static final String BROKEN_TWINS = "org.overlaytrie.broken.";
  private static final Pattern ENTRY = Pattern.compile("JCTEST(\\d+)S(.*)");

  static JcstressJar of(Checkout checkout) {
    Path file = checkout.root().resolve("jcstress").resolve("target").resolve("jcstress.jar");
    if (!Files.isRegularFile(file)) {
      throw new UsageException(file + " is missing: run ./verify.sh");
    }
    return new JcstressJar(file);
  }

  /** Whether a test is a broken twin, which must show its forbidden outcome. */
  static boolean isTwin(String test) {
    return test.startsWith(BROKEN_TWINS);
  }

  /** The tests that the jar lists: its class names, each behind their length. */
  List<String> tests() throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      ZipEntry list = jar.getEntry("META-INF/TestList");
      if (list == null) {
        return List.of();
      }
      String text = new String(jar.getInputStream(list).readAllBytes(), StandardCharsets.UTF_8);
      List<String> tests = new ArrayList<>();
      for (String line : text.lines().toList()) {
        Matcher entry = ENTRY.matcher(line);
        if (entry.matches()) {
          tests.add(entry.group(2).substring(0, Integer.parseInt(entry.group(1))));
        }
      }
      return tests;
    }
  }

  /** The invariants that a test's {@code @Checks} names. */
  List<String> checks(String test) throws IOException {
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {file.toUri().toURL()}, JcstressJar.class.getClassLoader())) {
      Checks checks = Class.forName(test, false, loader).getAnnotation(Checks.class);
      return checks == null ? List.of() : List.of(checks.value());
    } catch (ClassNotFoundException e) {
      return List.of();
    }
  }
}
