package org.overlaytrie.conformance.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.overlaytrie.conformance.matrix.InvariantList.Entry;
import org.overlaytrie.conformance.tlc.Configuration;
import org.overlaytrie.conformance.tlc.Manifest;

/** What the specifications' directory says about invariants. */
final class Specifications {

  private static final Pattern DEFINITION =
      Pattern.compile("^(\\w+(?:Inv|Prop))\\s*==", Pattern.MULTILINE);
  private static final Pattern COMMENT =
      Pattern.compile("\\\\\\*[^\n]*|\\(\\*.*?\\*\\)", Pattern.DOTALL);

  private final Path directory;
  private final List<Manifest.Entry> models;

  private Specifications(Path directory, List<Manifest.Entry> models) {
    this.directory = directory;
    this.models = models;
  }

  /** Reads {@code manifest.json} in the directory; the other files are read on demand. */
  static Specifications read(Path directory) throws IOException {
    return new Specifications(directory, Manifest.read(directory).models());
  }

  /** What the default run checks. */
  List<Manifest.Entry> defaultModels() {
    return models.stream()
        .filter(model -> model.timeClass() == Manifest.TimeClass.DEFAULT)
        .toList();
  }

  /** The invariants and properties that a module defines; empty if there is no such module. */
  Set<String> defined(String module) throws IOException {
    Matcher definition = DEFINITION.matcher(COMMENT.matcher(text(module)).replaceAll(""));
    Set<String> names = new TreeSet<>();
    while (definition.find()) {
      names.add(definition.group(1));
    }
    return names;
  }

  /**
   * The module in which an invariant is defined: its own, or the one with the bounds where it needs
   * them; empty if neither.
   */
  String definingModule(Entry invariant) throws IOException {
    for (String module : List.of(invariant.module(), "MC" + invariant.module())) {
      if (defined(module).contains(invariant.simpleName())) {
        return module;
      }
    }
    return "";
  }

  /** The comment that stands above a definition, on one line; empty if there is none. */
  String comment(String module, String name) throws IOException {
    Matcher above =
        Pattern.compile("((?:^\\(\\*.*\\*\\) *\n)+)" + name + "\\s*==", Pattern.MULTILINE)
            .matcher(text(module));
    if (!above.find()) {
      return "";
    }
    return above
        .group(1)
        .lines()
        .map(line -> line.replaceAll("^\\(\\*|\\*\\) *$", "").strip())
        .collect(Collectors.joining(" "));
  }

  private String text(String module) throws IOException {
    Path file = directory.resolve(module + ".tla");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /** The invariants and properties that a configuration checks; empty if there is no such file. */
  List<String> checked(String config) throws IOException {
    Path file = directory.resolve(config + ".cfg");
    if (!Files.exists(file)) {
      return List.of();
    }
    Configuration configuration = Configuration.read(file);
    return Stream.concat(configuration.invariants().stream(), configuration.properties().stream())
        .toList();
  }
}
