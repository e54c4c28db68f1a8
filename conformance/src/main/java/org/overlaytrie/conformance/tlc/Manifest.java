package org.overlaytrie.conformance.tlc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.overlaytrie.conformance.report.Json;
import org.overlaytrie.conformance.report.ModelResult.Kind;
import org.overlaytrie.conformance.report.ModelResult.Verdict;

/**
 * What every model must give: {@code specs/manifest.json}.
 *
 * @param models one entry for each configuration in the directory
 */
public record Manifest(List<Entry> models) {

  /** How long a model takes. */
  public enum TimeClass {
    /** Checked by every run. */
    DEFAULT,
    /** Checked with {@code --deep}, or by name. */
    DEEP
  }

  /**
   * One model.
   *
   * @param module the module that is modelled
   * @param config the configuration file's name without extension
   * @param kind what it is there for
   * @param expected how TLC must end
   * @param property what must be violated; null if it must hold
   * @param distinctStates how many distinct states there are; null if that is not fixed
   * @param diameter depth of the complete search; null if that is not fixed
   * @param timeClass when it is checked
   * @param everyAction whether every action must be taken in it; counting them doubles its time
   */
  public record Entry(
      String module,
      String config,
      Kind kind,
      Verdict expected,
      String property,
      Long distinctStates,
      Integer diameter,
      TimeClass timeClass,
      boolean everyAction) {

    /** The command that checks this model alone. */
    String rerun() {
      return "./verify.sh tlc " + config;
    }

    private String flaw() {
      if (module == null || config == null || kind == null || timeClass == null) {
        return "module, config, kind and timeClass must be given";
      }
      Verdict due = kind == Kind.HOLDS ? Verdict.HOLDS : Verdict.VIOLATED;
      if (expected != due || (due == Verdict.VIOLATED) != (property != null)) {
        return "a model that holds expects no violation, any other the violation of a property";
      }
      if (everyAction && kind != Kind.HOLDS) {
        return "everyAction is for models that hold";
      }
      boolean counted = distinctStates != null && diameter != null;
      return kind == Kind.HOLDS && !counted ? "distinctStates and diameter must be given" : null;
    }
  }

  /** Reads {@code manifest.json} in the directory of the specifications. */
  public static Manifest read(Path specs) throws IOException {
    return Json.read(specs.resolve("manifest.json"), Manifest.class);
  }

  /**
   * What does not fit between the manifest and the directory: one sentence each. (That a listed
   * configuration does not exist is the result of checking it.)
   */
  public List<String> flaws(Path specs) throws IOException {
    List<String> flaws = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    for (Entry entry : models) {
      String flaw = entry.flaw();
      if (flaw != null) {
        flaws.add("manifest.json: " + entry.config + ": " + flaw);
      }
      if (!listed.add(entry.config)) {
        flaws.add("manifest.json lists " + entry.config + " twice");
      }
    }
    Set<String> present = configurations(specs);
    for (String config : present) {
      if (!listed.contains(config)) {
        flaws.add("manifest.json lacks " + config + ".cfg");
      }
    }
    Set<String> counted = new HashSet<>();
    models.stream().filter(Entry::everyAction).forEach(entry -> counted.add(entry.module));
    models.stream()
        .filter(entry -> entry.kind == Kind.HOLDS)
        .map(Entry::module)
        .distinct()
        .filter(module -> module != null && !counted.contains(module))
        .forEach(module -> flaws.add("manifest.json: no model of " + module + " has everyAction"));
    if (models.isEmpty()) {
      flaws.add("manifest.json lists no model");
    }
    return flaws;
  }

  /**
   * The configurations in the directory, but for those whose names begin with {@code Trace}, which
   * belong to recorded executions.
   */
  static Set<String> configurations(Path specs) throws IOException {
    try (Stream<Path> files = Files.list(specs)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".cfg") && !name.startsWith("Trace"))
          .map(name -> name.substring(0, name.length() - ".cfg".length()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
