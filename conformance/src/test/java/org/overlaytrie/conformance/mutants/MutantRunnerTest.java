package org.overlaytrie.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.report.MutantResult;
import org.overlaytrie.conformance.report.MutantResult.Result;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.testjvm.TestRun;

/** Real child JVMs, on a class that is there to be broken. */
class MutantRunnerTest {

  private static final Path SOURCES =
      Path.of("src/test/java/org/overlaytrie/conformance/mutants/fixture");
  private static final String CASES = "org.overlaytrie.conformance.mutants.GateCases#";

  private static Map<String, MutantResult> results;
  private static ConcurrentLinkedQueue<String> listened;

  @BeforeAll
  static void runMutants(@TempDir Path work) throws Exception {
    List<Mutant> mutants = new ArrayList<>();
    mutants.add(
        mutant("OpenInv-killed", "stopsWhatIsAboveTheLimit", "number <= LIMIT", "number < 1000"));
    mutants.add(
        mutant(
            "OpenInv-survived",
            "letsThroughWhatIsBelowTheLimit",
            "number <= LIMIT",
            "number < 1000"));
    mutants.add(mutant("OpenInv-constant", "knowsTheLimit", "LIMIT = 10", "LIMIT = 11"));
    mutants.add(forOlderCode("OpenInv-moved"));
    mutants.add(
        mutant("OpenInv-same", "stopsWhatIsAboveTheLimit", "number <= LIMIT", "number <= LIMIT"));
    mutants.add(
        mutant("OpenInv-uncompilable", "stopsWhatIsAboveTheLimit", "number <= LIMIT", "number +"));
    mutants.add(
        mutant(
            "OpenInv-failing-test", "failsWhateverTheGateDoes", "number <= LIMIT", "number < 1"));
    mutants.add(
        mutant("OpenInv-unlinked", "doesNotMakeTheSmallWait", "waitsUntilLet(int", "waits(int"));
    mutants.add(
        mutant("OpenInv-hang", "doesNotMakeTheSmallWait", "(!lets(number))", "(number > 0)"));
    listened = new ConcurrentLinkedQueue<>();
    results = run(mutants, work);
  }

  private static Map<String, MutantResult> run(List<Mutant> mutants, Path work) throws Exception {
    List<Path> classPath =
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
            .splitAsStream(System.getProperty("java.class.path"))
            .map(Path::of)
            .toList();
    Path root = Path.of("").toAbsolutePath();
    return new MutantRunner(
            new MutantBuilder(root, SOURCES, work.resolve("build")),
            classPath,
            root,
            work.resolve("tests"),
            Duration.ofSeconds(20), // for the one that hangs
            2)
            .run(mutants, Set.of(CASES + "knowsTheLimit"), result -> listened.add(result.name()))
            .stream()
            .collect(
                Collectors.toMap(
                    MutantResult::name, Function.identity(), (a, b) -> b, TreeMap::new));
  }

  private static Mutant mutant(String name, String test, String guard, String change)
      throws Exception {
    StringBuilder diff = new StringBuilder();
    String file = SOURCES.resolve("Gate.java").toString().replace(File.separatorChar, '/');
    List<String> lines = Files.readAllLines(Path.of(file));
    diff.append("--- a/" + file + "\n+++ b/" + file + "\n");
    diff.append("@@ -1," + lines.size() + " +1," + lines.size() + " @@\n");
    for (String line : lines) {
      if (line.contains(guard)) {
        diff.append("-" + line + "\n+" + line.replace(guard, change) + "\n");
      } else {
        diff.append(" " + line + "\n");
      }
    }
    return Mutant.parse(
        name,
        "Invariant: Gates!"
            + name.substring(0, name.indexOf('-'))
            + "\nGuard: The limit.\nKilled-by: "
            + CASES
            + test
            + "\n\n"
            + diff);
  }

  private static Mutant forOlderCode(String name) throws Exception {
    Mutant mutant = mutant(name, "stopsWhatIsAboveTheLimit", "number <= LIMIT", "number < 1000");
    return Mutant.parse(name, mutant.text().replace("number <= LIMIT", "LIMIT >= number"));
  }

  private static void assertStale(String name, String why) {
    assertThat(results.get(name).result()).isEqualTo(Result.STALE);
    assertThat(results.get(name).problem()).contains(why);
    assertThat(results.get(name).killedBy()).isNull();
  }

  @Test
  void namesTheTestThatKilled() {
    MutantResult result = results.get("OpenInv-killed");
    assertThat(result.result()).isEqualTo(Result.KILLED);
    assertThat(result.killedBy()).isEqualTo(CASES + "stopsWhatIsAboveTheLimit");
    assertThat(result.invariant()).isEqualTo("Gates!OpenInv");
    assertThat(result.patch()).contains("number < 1000");
    assertThat(result.problem()).isNull();
    assertThat(result.seconds()).isPositive();
  }

  @Test
  void saysThatAMutantSurvivesTestsThatDoNotNoticeIt() {
    MutantResult result = results.get("OpenInv-survived");
    assertThat(result.result()).isEqualTo(Result.SURVIVED);
    assertThat(result.killedBy()).isNull();
  }

  @Test
  void carriesAChangedConstantIntoTheClassesThatInlinedIt() {
    assertThat(results.get("OpenInv-constant").result()).isEqualTo(Result.KILLED);
  }

  @Test
  void calledStaleIfThePatchDoesNotApply() {
    assertStale("OpenInv-moved", "does not apply");
  }

  @Test
  void calledStaleIfThePatchChangesNothing() {
    assertStale("OpenInv-same", "as it was");
  }

  @Test
  void calledStaleIfItDoesNotCompile() {
    assertStale("OpenInv-uncompilable", "do not compile");
  }

  @Test
  void calledStaleIfItsTestFailsOnTheUnchangedCode() {
    assertStale("OpenInv-failing-test", "not passing on the unchanged code");
  }

  @Test
  void calledStaleIfItDoesNotFitTheClassesThatUseIt() {
    assertStale("OpenInv-unlinked", "NoSuchMethodError");
  }

  @Test
  void aHangKillsNothing() throws Exception {
    Mutant mutant = mutant("OpenInv-hang", "stopsWhatIsAboveTheLimit", "number <= LIMIT", "true");
    TestResult running =
        new TestResult(
            "",
            "org.overlaytrie.conformance.mutants.GateCases",
            "stopsWhatIsAboveTheLimit",
            "stops",
            TestResult.Status.FAILED,
            60,
            "killed after 60 s",
            Map.of(),
            List.of(),
            List.of());
    TestRun run =
        new TestRun(List.of(running), "killed after 60 s", true, Map.of(), Path.of("tests.log"));
    MutantResult result = MutantRunner.judge(mutant, System.nanoTime(), run);
    assertThat(result.result()).isEqualTo(Result.SURVIVED);
    assertThat(result.problem()).contains("time limit");
  }

  @Test
  void reportsEachResultOnce() {
    assertThat(listened).containsExactlyInAnyOrderElementsOf(results.keySet());
  }

  @Test
  void calledStaleIfItsTestDoesNotExist(@TempDir Path work) throws Exception {
    Mutant mutant = mutant("OpenInv-untested", "isNotThere", "number <= LIMIT", "true");
    MutantResult result = run(List.of(mutant), work).get("OpenInv-untested");
    assertThat(result.result()).isEqualTo(Result.STALE);
    assertThat(result.problem()).contains("no test is called").contains("isNotThere");
  }
}
