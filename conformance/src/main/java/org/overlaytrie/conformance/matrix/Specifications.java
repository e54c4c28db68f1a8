package org.overlaytrie.conformance.matrix;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the specifications' directory says about invariants: which a module defines, which a
 * configuration checks, and which configurations the default run has.
 */
final class Specifications {

  private static final Pattern DEFINITION =
      Pattern.compile("^(\\w+(?:Inv|Prop))\\s*==", Pattern.MULTILINE);
  private static final Pattern COMMENT =
      Pattern.compile("\\\\\\*[^\n]*|\\(\\*.*?\\*\\)", Pattern.DOTALL);
  private static final Pattern PROPERTY_KEYWORD =
      Pattern.compile("INVARIANTS?|PROPERTY|PROPERTIES");
  private static final Pattern KEYWORD = Pattern.compile("[A-Z_]{4,}S?");

  private final Path directory;
  private final List<Configuration> configurations;

  /**
   * One configuration of the manifest.
   *
   * @param kind {@code holds}, {@code bug} or {@code reach}
   * @param property what a run must refute; null if everything must hold
   * @param timeClass {@code default}, or {@code deep} for what only a deep run has
   */
  record Configuration(
      String module, String config, String kind, String property, String timeClass) {

    boolean isDefault() {
      return timeClass.equals("default");
    }
  }

  private record Manifest(List<Configuration> models) {}

  private Specifications(Path directory, List<Configuration> configurations) {
    this.directory = directory;
    this.configurations = configurations;
  }

  /**
   * Reads {@code manifest.json} in the directory; modules and configurations are read on demand.
   */
  static Specifications read(Path directory) throws IOException {
    Manifest manifest =
        new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .readValue(directory.resolve("manifest.json").toFile(), Manifest.class);
    return new Specifications(directory, manifest.models());
  }

  /** What the manifest lists. */
  List<Configuration> configurations() {
    return configurations;
  }

  /** The invariants and properties that a module defines; empty if there is no such module. */
  Set<String> defined(String module) throws IOException {
    Path file = directory.resolve(module + ".tla");
    if (!Files.exists(file)) {
      return Set.of();
    }
    Set<String> names = new TreeSet<>();
    Matcher definition = DEFINITION.matcher(COMMENT.matcher(Files.readString(file)).replaceAll(""));
    while (definition.find()) {
      names.add(definition.group(1));
    }
    return names;
  }

  /** The invariants and properties that a configuration checks; empty if there is no such file. */
  List<String> checked(String config) throws IOException {
    Path file = directory.resolve(config + ".cfg");
    if (!Files.exists(file)) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    boolean inProperties = false;
    Scanner words = new Scanner(COMMENT.matcher(Files.readString(file)).replaceAll(" "));
    while (words.hasNext()) {
      String word = words.next();
      if (KEYWORD.matcher(word).matches()) {
        inProperties = PROPERTY_KEYWORD.matcher(word).matches();
      } else if (inProperties) {
        names.add(word);
      }
    }
    return names;
  }
}
