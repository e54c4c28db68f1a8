package org.overlaytrie.conformance.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.overlaytrie.conformance.testjvm.ModuleTests;

/** Runs the unit tests of the store and of its instruments, those of other stages left out. */
final class TestsStage implements Stage {

  private static final Duration TIMEOUT = Duration.ofMinutes(15);

  private static final List<ModuleTests> MODULES = List.of(module("impl"), module("conformance"));

  private static ModuleTests module(String name) {
    return new ModuleTests("tests", name, List.of(), List.of("crash", "trace"), List.of(), TIMEOUT);
  }

  @Override
  public String name() {
    return "tests";
  }

  @Override
  public String description() {
    return "the unit tests of the store and of the instruments that check it pass";
  }

  @Override
  public Duration expected(boolean deep) {
    return Duration.ofSeconds(160);
  }

  @Override
  public StageResult run(StageContext context) throws Exception {
    requireKnown(context);
    StageResult all = StageResult.of(List.of(), List.of());
    for (ModuleTests tests : MODULES) {
      List<String> names =
          context.arguments().stream().filter(name -> tests.has(context, name)).toList();
      if (context.arguments().isEmpty() || !names.isEmpty()) {
        all = all.plus(tests.run(context, names));
      }
    }
    return all;
  }

  private static void requireKnown(StageContext context) throws IOException {
    for (String name : context.arguments()) {
      if (MODULES.stream().noneMatch(tests -> tests.has(context, name))) {
        List<String> known = new ArrayList<>();
        for (ModuleTests tests : MODULES) {
          known.addAll(tests.names(context));
        }
        throw ModuleTests.unknownClass(name, known);
      }
    }
  }
}
