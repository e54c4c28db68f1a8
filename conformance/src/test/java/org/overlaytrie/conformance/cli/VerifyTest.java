package org.overlaytrie.conformance.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.report.Finding;
import org.overlaytrie.conformance.report.TestResult;

class VerifyTest {

  @TempDir Path directory;

  private Path root;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void makeACheckout() throws Exception {
    root = Files.createDirectories(directory.resolve("with space"));
    Files.createFile(root.resolve("verify.sh"));
    Files.createDirectories(root.resolve("impl"));
    Files.writeString(root.resolve("impl/A.java"), "class A {}");
  }

  @Test
  void isGreenWhenEveryStageIs() throws Exception {
    assertThat(verify(List.of(FakeStage.green("one"), FakeStage.green("two")))).isEqualTo(0);

    assertThat(out.toString(UTF_8)).contains("Green after").contains("target/verify/report.html");
    assertThat(report().path("status").asText()).isEqualTo("pass");
    assertThat(root.resolve("target/verify/report.html")).isNotEmptyFile();
  }

  @Test
  void namesEverythingThatFailedAndHowToRunJustThatAgain() throws Exception {
    List<Stage> stages =
        List.of(
            FakeStage.red("one", "Model <M> is wrong"),
            FakeStage.green("two"),
            FakeStage.red("three", "a test is red"));

    assertThat(verify(stages)).isEqualTo(1);

    assertThat(out.toString(UTF_8))
        .contains("one: Model <M> is wrong", "again: ./verify.sh one that", "seen: this")
        .contains("three: a test is red", "again: ./verify.sh three that")
        .containsPattern("two +ok");
    assertThat(report().path("status").asText()).isEqualTo("fail");
  }

  @Test
  void aStageThatBreaksIsAFailureAndTheOthersGoOn() throws Exception {
    List<Stage> stages =
        List.of(
            FakeStage.of(
                "one",
                context -> {
                  throw new IllegalStateException("out of ideas");
                }),
            FakeStage.green("two"));

    assertThat(verify(stages)).isEqualTo(1);

    assertThat(out.toString(UTF_8)).contains("out of ideas", "again: ./verify.sh one");
    assertThat(report().at("/stages/2/status").asText()).isEqualTo("pass");
  }

  @Test
  void refusesUnknownStagesOptionsAndNames() {
    Stage picky =
        FakeStage.of(
            "one",
            context -> {
              throw new UsageException("nothing is called " + context.arguments());
            });

    assertThat(verify(List.of(picky), "nonsense")).isEqualTo(2);
    assertThat(verify(List.of(picky), "--nonsense")).isEqualTo(2);
    assertThat(verify(List.of(picky), "one", "x")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("nothing is called [x]");
  }

  @Test
  void refusesADirectoryThatIsNoCheckout() throws Exception {
    Files.delete(root.resolve("verify.sh"));

    assertThat(verify(List.of(FakeStage.green("one")))).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("is no checkout");
  }

  @Test
  void refusesToWorkBesideAnotherOne() throws Exception {
    Path output = Files.createDirectories(root.resolve("target/verify"));
    try (FileChannel other =
        FileChannel.open(
            output.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThat(other.lock().isValid()).isTrue();

      assertThat(verify(List.of(FakeStage.green("one")))).isEqualTo(2);
    }
    assertThat(err.toString(UTF_8)).contains("Another verify.sh");
  }

  @Test
  void passesTheArgumentsAfterTheStageAndTheOptionsAnywhere() {
    List<String> seen = new ArrayList<>();
    Stage stage =
        FakeStage.of(
            "one",
            context -> {
              seen.addAll(context.arguments());
              seen.add(String.valueOf(context.deep()));
              return StageResult.of(List.of(), List.of());
            });

    assertThat(verify(List.of(stage), "one", "--deep", "a", "b c")).isEqualTo(0);
    assertThat(verify(List.of(stage), "--deep", "one")).isEqualTo(0);
    assertThat(verify(List.of(stage), "one")).isEqualTo(0);

    assertThat(seen).containsExactly("a", "b c", "true", "true", "false");
  }

  @Test
  void listsTheStagesWithoutRunningThem() {
    assertThat(verify(List.of(FakeStage.red("one", "ran")), "--list")).isEqualTo(0);

    assertThat(out.toString(UTF_8)).contains("one", "1:01", "the description of one");
  }

  @Test
  void printsTheReportForMachinesAndNothingElseToTheOutput() throws Exception {
    assertThat(verify(List.of(FakeStage.red("one", "wrong")), "--json")).isEqualTo(1);

    JsonNode printed = new ObjectMapper().readTree(out.toByteArray());
    assertThat(printed).isEqualTo(report());
    assertThat(err.toString(UTF_8)).contains("again: ./verify.sh one that");
  }

  @Test
  void givesAStageWhatTheStagesBeforeItFound() {
    List<String> seen = new ArrayList<>();
    List<Stage> stages = List.of(reader(seen), finder("fromOne"));

    assertThat(verify(stages)).isEqualTo(0);
    assertThat(seen).containsExactly("fromOne");
    assertThat(verify(stages, "reader")).isEqualTo(0);
    assertThat(seen).containsExactly("fromOne", "fromOne");
  }

  @Test
  void forgetsWhatWasFoundOnOtherSources() throws Exception {
    List<String> seen = new ArrayList<>();
    List<Stage> stages = List.of(finder("fromOne"), reader(seen));
    assertThat(verify(stages, "finder")).isEqualTo(0);
    Files.writeString(root.resolve("impl/A.java"), "class A { int changed; }");

    assertThat(verify(stages, "reader")).isEqualTo(0);
    assertThat(seen).isEmpty();
    assertThat(report().at("/stages/1/status").asText()).isEqualTo("absent");
  }

  @Test
  void neverTakesAPartOfAStageForTheWhole() throws Exception {
    List<String> seen = new ArrayList<>();
    List<Stage> stages = List.of(finder("fromOne"), reader(seen));
    assertThat(verify(stages, "finder", "part")).isEqualTo(0);
    assertThat(report().at("/tests/0/method").asText()).isEqualTo("fromOne");
    assertThat(report().at("/stages/1/arguments/0").asText()).isEqualTo("part");

    assertThat(verify(stages, "reader")).isEqualTo(0);
    assertThat(seen).isEmpty();
  }

  @Test
  void writesTheReportAgainFromTheLastRuns() throws Exception {
    List<Stage> stages = List.of(finder("fromOne"), FakeStage.red("two", "wrong"));
    assertThat(verify(stages, "report")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("run ./verify.sh");
    assertThat(verify(stages)).isEqualTo(1);
    Files.delete(root.resolve("target/verify/report.html"));

    assertThat(verify(stages, "report")).isEqualTo(1);
    assertThat(root.resolve("target/verify/report.html")).isNotEmptyFile();
    assertThat(report().at("/tests/0/method").asText()).isEqualTo("fromOne");
  }

  private static Stage finder(String method) {
    Finding found =
        new TestResult(
            "finder",
            "C",
            method,
            method + "()",
            TestResult.Status.PASSED,
            0.1,
            null,
            Map.of(),
            List.of(),
            List.of());
    return FakeStage.of("finder", context -> StageResult.of(List.of(), List.of(found)));
  }

  private static Stage reader(List<String> seen) {
    return new FakeStage(
        "reader",
        1,
        Set.of("finder"),
        context -> {
          context.findings().tests().forEach(test -> seen.add(test.method()));
          return StageResult.of(List.of(), List.of());
        });
  }

  private JsonNode report() throws Exception {
    return new ObjectMapper().readTree(root.resolve("target/verify/report.json").toFile());
  }

  private int verify(List<Stage> stages, String... arguments) {
    Environment environment =
        new Environment(
            new Checkout(root),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            false,
            false,
            80,
            2,
            3);
    return Verify.run(environment, stages, arguments);
  }
}
