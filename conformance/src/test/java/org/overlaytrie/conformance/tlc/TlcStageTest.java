package org.overlaytrie.conformance.tlc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.cli.Checkout;
import org.overlaytrie.conformance.cli.Progress;
import org.overlaytrie.conformance.cli.StageContext;
import org.overlaytrie.conformance.cli.StageResult;
import org.overlaytrie.conformance.report.Failure;
import org.overlaytrie.conformance.report.Findings;
import org.overlaytrie.conformance.report.ModelResult;

class TlcStageTest {

  private static final String MODEL =
      "{\"module\": \"Clock\", \"config\": \"%s\", \"kind\": \"holds\", \"expected\": \"holds\","
          + " \"property\": null, \"distinctStates\": 12, \"diameter\": 5,"
          + " \"timeClass\": \"default\", \"everyAction\": true}";

  @TempDir Path root;

  @Test
  void aConfigurationThatIsMissingOrNotListedIsOneFailureAndTheOthersAreChecked() throws Exception {
    Path specs = Files.createDirectory(root.resolve("specs"));
    for (String name : List.of("Clock.tla", "MCClock.tla", "MCClock.cfg")) {
      Files.copy(Fixture.specs().resolve(name), specs.resolve(name));
    }
    Files.copy(specs.resolve("MCClock.cfg"), specs.resolve("MCClockNew.cfg"));
    Files.writeString(
        specs.resolve("manifest.json"),
        "{\"models\": ["
            + MODEL.formatted("MCClockGone")
            + ","
            + MODEL.formatted("MCClock")
            + "]}");

    StageResult all = run();

    assertThat(all.failures())
        .extracting(Failure::what)
        .containsExactly(
            "manifest.json lacks MCClockNew.cfg",
            "MCClockGone: manifest.json lists MCClockGone.cfg, which does not exist");
    assertThat(all.findings().models())
        .extracting(ModelResult::config)
        .containsExactly("MCClockGone", "MCClock");
    assertThat(all.findings().models())
        .extracting(ModelResult::passed)
        .containsExactly(false, true);
    assertThat(run("MCClockGone").failures())
        .extracting(Failure::what, Failure::rerun)
        .containsExactly(
            tuple(
                "MCClockGone: manifest.json lists MCClockGone.cfg, which does not exist",
                "./verify.sh tlc MCClockGone"));
  }

  private StageResult run(String... arguments) throws Exception {
    return new TlcStage()
        .run(
            new StageContext(
                new Checkout(root),
                Files.createDirectories(root.resolve("work")),
                false,
                List.of(arguments),
                Progress.SILENT,
                Findings.NONE));
  }
}
