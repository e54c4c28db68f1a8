package org.overlaytrie.conformance.mutants;

import com.github.difflib.unifieddiff.UnifiedDiff;
import com.github.difflib.unifieddiff.UnifiedDiffFile;
import com.github.difflib.unifieddiff.UnifiedDiffReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A patch that removes one guard from the store's code, with the tests that must fail without it.
 *
 * <p>The file is a unified diff against the repository's root under a header of {@code Name: value}
 * lines: {@code Invariant} (as {@code Module!Name}; the file's name begins with {@code Name-}),
 * {@code Guard} (one sentence: what is removed), {@code Killed-by} (one or more {@code
 * class#method}, separated by commas). Nothing else may be in the header, and each name occurs
 * once.
 *
 * @param name the file's name without {@code .patch}
 * @param changes the diff, per file
 * @param text the whole file
 */
public record Mutant(
    String name,
    String invariant,
    String guard,
    List<String> killedBy,
    List<UnifiedDiffFile> changes,
    String text) {

  private static final String SUFFIX = ".patch";
  private static final Pattern TEST = Pattern.compile("[\\w.$]+#\\w+");

  /**
   * Reads every {@code *.patch} of a directory, in the order of their names.
   *
   * @throws MalformedMutantException if one is not as described above
   * @throws IOException also if the directory holds none
   */
  public static List<Mutant> readAll(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> list = Files.list(directory)) {
      files = list.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IOException("no mutants in " + directory);
    }
    List<Mutant> mutants = new ArrayList<>();
    for (Path file : files) {
      String fileName = file.getFileName().toString();
      mutants.add(
          parse(
              fileName.substring(0, fileName.length() - SUFFIX.length()), Files.readString(file)));
    }
    return mutants;
  }

  /** Parses the text of one patch file; see the class comment for its form. */
  static Mutant parse(String name, String text) {
    int diffStart = text.startsWith("--- ") ? 0 : text.indexOf("\n--- ") + 1;
    if (diffStart == 0) {
      throw new MalformedMutantException(name, "a header and a unified diff are expected");
    }
    Map<String, String> header = parseHeader(name, text.substring(0, diffStart));
    String invariant = take(header, name, "Invariant");
    String guard = take(header, name, "Guard");
    List<String> killedBy =
        Stream.of(take(header, name, "Killed-by").split(",")).map(String::strip).toList();
    if (!header.isEmpty()) {
      throw new MalformedMutantException(name, "unknown in the header: " + header.keySet());
    }
    if (!name.startsWith(invariant.substring(invariant.indexOf('!') + 1) + "-")) {
      throw new MalformedMutantException(
          name, "the file's name does not begin with the invariant's: " + invariant);
    }
    for (String test : killedBy) {
      if (!TEST.matcher(test).matches()) {
        throw new MalformedMutantException(name, "not of the form class#method: " + test);
      }
    }
    return new Mutant(
        name, invariant, guard, killedBy, parseDiff(name, text.substring(diffStart)), text);
  }

  private static Map<String, String> parseHeader(String name, String text) {
    Map<String, String> header = new TreeMap<>();
    for (String line : text.lines().filter(line -> !line.isBlank()).toList()) {
      int colon = line.indexOf(": ");
      if (colon < 0 || header.put(line.substring(0, colon), line.substring(colon + 2)) != null) {
        throw new MalformedMutantException(name, "unexpected in the header: " + line);
      }
    }
    return header;
  }

  private static String take(Map<String, String> header, String name, String field) {
    String value = header.remove(field);
    if (value == null || value.isBlank()) {
      throw new MalformedMutantException(name, "the header lacks " + field);
    }
    return value.strip();
  }

  private static List<UnifiedDiffFile> parseDiff(String name, String text) {
    UnifiedDiff diff;
    try {
      diff =
          UnifiedDiffReader.parseUnifiedDiff(
              new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException | RuntimeException e) {
      throw new MalformedMutantException(name, "the diff cannot be read: " + e.getMessage());
    }
    List<UnifiedDiffFile> changes = diff.getFiles();
    if (changes.isEmpty()
        || changes.stream().anyMatch(change -> change.getPatch().getDeltas().isEmpty())) {
      throw new MalformedMutantException(name, "the diff changes nothing");
    }
    return changes;
  }
}
