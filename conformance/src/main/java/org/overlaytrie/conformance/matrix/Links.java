package org.overlaytrie.conformance.matrix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.overlaytrie.conformance.matrix.InvariantList.Entry;
import org.overlaytrie.conformance.matrix.SourceMarks.Mark;
import org.overlaytrie.conformance.mutants.Mutant;
import org.overlaytrie.conformance.mutants.MutantStage;
import org.overlaytrie.conformance.report.ModelResult.Kind;
import org.overlaytrie.conformance.tlc.Manifest;

/**
 * Everything that the project's files claim about its invariants: a function of the sources alone,
 * the same before and after any run.
 *
 * @param invariants the rows
 * @param definitions where each invariant is defined, by its name
 * @param links the evidence, in the order of the rows, and in each of columns and files
 * @param problems claims that lead nowhere, each in one line
 */
record Links(
    List<Entry> invariants,
    Map<String, Definition> definitions,
    List<Link> links,
    List<String> problems) {

  /**
   * The definition of an invariant.
   *
   * @param module the module it is in; empty if it is in none
   * @param comment what stands above it
   */
  public record Definition(String module, String comment) {}

  /** Its module extends all those of the commit protocol. */
  private static final String TRACE_OF_ALL_COMMITS = "TraceSequencedCommit";

  private static final String CRASH_TESTS =
      "conformance/src/test/java/org/overlaytrie/conformance/crash/";
  private static final String SCHEDULE_TESTS =
      "conformance/src/test/java/org/overlaytrie/conformance/schedule/";

  /** Collects them from a checkout. */
  static Links collect(Path root) throws IOException {
    Path specs = root.resolve("specs");
    return collect(
        InvariantList.read(specs.resolve("matrix.json")),
        Specifications.read(specs),
        SourceMarks.scan(root),
        MutantStage.readMutants(root));
  }

  static Links collect(
      InvariantList list, Specifications specifications, SourceMarks sources, List<Mutant> mutants)
      throws IOException {
    List<Link> links = new ArrayList<>();
    Map<String, Definition> definitions = new HashMap<>();
    for (Entry entry : list.invariants()) {
      String module = specifications.definingModule(entry);
      definitions.put(
          entry.name(), new Definition(module, specifications.comment(module, entry.simpleName())));
      addModels(entry, specifications, links);
      addMarks(entry, sources, links);
      for (Mutant mutant : mutants) {
        if (mutant.invariant().equals(entry.name())) {
          links.add(
              new Link(
                  Column.MUTANT,
                  entry.name(),
                  mutant.name(),
                  "conformance/mutants/" + mutant.name() + ".patch",
                  note(mutant)));
        }
      }
    }
    return new Links(
        list.invariants(),
        definitions,
        List.copyOf(links),
        problems(list, specifications, sources, mutants));
  }

  /** The evidence for one invariant in one column. */
  List<Link> of(Entry entry, Column column) {
    return links.stream()
        .filter(link -> link.column() == column && link.invariant().equals(entry.name()))
        .toList();
  }

  private static void addModels(Entry entry, Specifications specifications, List<Link> links)
      throws IOException {
    for (Manifest.Entry model : specifications.defaultModels()) {
      if (!model.module().equals(entry.module())) {
        continue;
      }
      String path = "specs/" + model.config() + ".cfg";
      if (model.kind() == Kind.HOLDS
          && specifications.checked(model.config()).contains(entry.simpleName())) {
        links.add(new Link(Column.MODEL, entry.name(), model.config(), path, ""));
      }
      if (model.kind() == Kind.BUG && entry.simpleName().equals(model.property())) {
        links.add(new Link(Column.CONTROL, entry.name(), model.config(), path, ""));
      }
    }
    for (String trace : List.of("Trace" + entry.module(), TRACE_OF_ALL_COMMITS)) {
      if (specifications.checked(trace).contains(entry.simpleName())) {
        links.add(new Link(Column.TRACE, entry.name(), trace, "specs/" + trace + ".cfg", ""));
        return;
      }
    }
  }

  private static void addMarks(Entry entry, SourceMarks sources, List<Link> links) {
    boolean runnable = sources.runtimeChecks().contains(runtimeCheck(entry));
    for (Mark mark : sources.marks()) {
      if (mark.invariant().equals(entry.name())) {
        if (mark.kind() == SourceMarks.Kind.CHECKS && mark.callsInvariants() && runnable) {
          links.add(link(Column.RUNTIME, mark, "runs Invariants#" + runtimeCheck(entry)));
        }
        column(mark).ifPresent(column -> links.add(link(column, mark, "")));
      }
    }
  }

  private static String note(Mutant mutant) {
    return mutant.killedBy().stream()
        .map(Link::withoutPackage)
        .collect(Collectors.joining(", ", mutant.guard() + " Killed by ", "."));
  }

  private static Link link(Column column, Mark mark, String note) {
    return new Link(column, mark.invariant(), mark.element(), mark.path(), note);
  }

  /** The method of {@code Invariants} that is an invariant's runnable check. */
  static String runtimeCheck(Entry entry) {
    String name = entry.simpleName();
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  /** Where a mark stands says what kind of evidence it is; unit tests are none of the matrix's. */
  private static Optional<Column> column(Mark mark) {
    if (mark.kind() == SourceMarks.Kind.UPHOLDS) {
      return Optional.of(Column.CODE);
    }
    if (mark.path().startsWith("lincheck/") || mark.path().startsWith(SCHEDULE_TESTS)) {
      return Optional.of(Column.SCHEDULE);
    }
    if (mark.path().startsWith("jcstress/")) {
      return Optional.of(Column.MEMORY);
    }
    return mark.path().startsWith(CRASH_TESTS) ? Optional.of(Column.CRASH) : Optional.empty();
  }

  private static List<String> problems(
      InvariantList list, Specifications specifications, SourceMarks sources, List<Mutant> mutants)
      throws IOException {
    List<String> problems = new ArrayList<>();
    Set<String> known = list.invariants().stream().map(Entry::name).collect(Collectors.toSet());
    Set<String> modules = new TreeSet<>();
    for (Entry entry : list.invariants()) {
      modules.add(entry.module());
      if (specifications.definingModule(entry).isEmpty()) {
        problems.add("specs/matrix.json lists " + entry.name() + ", which no module defines");
      }
    }
    for (String module : modules) {
      for (String name : specifications.defined(module)) {
        if (!known.contains(module + "!" + name)) {
          problems.add(module + "!" + name + " is defined and has no row in specs/matrix.json");
        }
      }
    }
    for (Mark mark : sources.marks()) {
      if (!known.contains(mark.invariant())) {
        problems.add(mark.path() + ": " + mark.element() + " names unknown " + mark.invariant());
      }
    }
    for (Mutant mutant : mutants) {
      if (!known.contains(mutant.invariant())) {
        problems.add("the mutant " + mutant.name() + " names unknown " + mutant.invariant());
      }
    }
    return List.copyOf(problems);
  }
}
