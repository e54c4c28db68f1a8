package org.overlaytrie.conformance.testjvm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.cli.Checkout;
import org.overlaytrie.conformance.cli.Progress;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.UsageException;
import org.overlaytrie.conformance.report.Findings;

/** On this module's own tests. */
class ModuleTestsTest {

  private static final String OWN = ModuleTestsTest.class.getName();

  @TempDir Path work;

  @Test
  void refusesNamesOfNoTestAndSuggestsOthers() {
    assertRefused("ModuleTestsTest", "There is no test class", "Did you mean " + OWN + "?");
    assertRefused(OWN + "#refusesNames", OWN + "#refusesNamesOfNoTestAndSuggestsOthers");
  }

  @Test
  void refusesTestsThatAreNotOfTheStage() {
    ModuleTests crash = tests(List.of("crash"));
    assertThatThrownBy(() -> crash.run(context(), List.of(OWN)))
        .isInstanceOf(UsageException.class)
        .hasMessage("The stage any has no test " + OWN + ".");
  }

  private void assertRefused(String name, String... said) {
    assertThatThrownBy(() -> tests(List.of()).run(context(), List.of(OWN, name)))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll(said);
  }

  private StageContext context() {
    Path root = Path.of("..").toAbsolutePath().normalize();
    return new StageContext(
        new Checkout(root), work, false, List.of(), Progress.SILENT, Findings.NONE);
  }

  private static ModuleTests tests(List<String> tags) {
    return new ModuleTests("any", "conformance", tags, List.of(), List.of(), Duration.ofMinutes(2));
  }
}
