package org.overlaytrie.conformance.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConsoleTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Test
  void printsPlainLinesWithoutStepsWhenThereIsNoTerminal() {
    Console console = console(false, 80);
    Progress progress = console.begin("tlc", Duration.ofSeconds(90));
    progress.step("MCModel 5 states");
    console.refresh();
    progress.note("ok MCModel");
    console.end("tlc", "ok after 0:05");

    assertThat(printed()).doesNotContain("\u001b").doesNotContain("5 states");
    assertThat(printed().lines())
        .containsExactly(
            "[0:00] tlc       begins, about 1:30",
            "[0:00] tlc       ok MCModel",
            "[0:00] tlc       ok after 0:05");
  }

  @Test
  void keepsOneLinePerRunningStageOnATerminal() {
    Console console = console(true, 60);
    console.begin("tlc", Duration.ofSeconds(90)).step("MCModel 5 of 12 states " + "x".repeat(99));
    console.begin("tests", Duration.ofSeconds(30)).step("impl 3 tests");
    console.refresh();
    bytes.reset();

    console.refresh();

    assertThat(printed()).startsWith("\u001b[2A\r\u001b[J");
    assertThat(printed().lines())
        .allMatch(line -> line.replaceAll("\u001b\\[\\d*[AJ]|\r", "").length() < 60)
        .anyMatch(line -> line.contains("tlc       0:00 of about 1:30  MCModel 5 of 12 states x"))
        .anyMatch(line -> line.contains("tests     0:00 of about 0:30  impl 3 tests"));
  }

  @Test
  void ignoresStepsOfAStageThatHasEnded() {
    Console console = console(true, 60);
    Progress progress = console.begin("tlc", Duration.ofSeconds(90));
    console.end("tlc", "ok");
    bytes.reset();

    progress.step("late");
    console.refresh();

    assertThat(printed()).isEmpty();
  }

  private Console console(boolean terminal, int columns) {
    return new Console(new PrintStream(bytes, true, UTF_8), terminal, columns);
  }

  private String printed() {
    return bytes.toString(UTF_8);
  }
}
