package org.overlaytrie.conformance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TestingDocTest {

  private static final Pattern READ =
      Pattern.compile("get(?:Long|Integer|Boolean|Property)\\(\\s*\"(overlaytrie\\.[\\w.]+)\"");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(overlaytrie\\.[\\w.]+)` \\|");

  @Test
  void namesThePropertiesThatTestsReadAndNoOthers() throws IOException {
    Set<String> read = new TreeSet<>();
    for (String module : Set.of("impl", "conformance", "lincheck")) {
      for (Path source : javaFiles(Path.of("..", module, "src", "test", "java"))) {
        read.addAll(found(READ, Files.readString(source)));
      }
    }
    assertThat(read).contains("overlaytrie.seed");

    String document = Files.readString(Path.of("..", "docs", "TESTING.md"));
    assertThat(found(ROW, document)).isEqualTo(read);
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Iterable<Path> javaFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
