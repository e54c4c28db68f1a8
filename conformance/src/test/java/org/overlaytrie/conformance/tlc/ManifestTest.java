package org.overlaytrie.conformance.tlc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.cli.UsageException;

class ManifestTest {

  private static final String GOOD =
      "{\"module\": \"M\", \"config\": \"MCM\", \"kind\": \"holds\", \"expected\": \"holds\","
          + " \"property\": null, \"distinctStates\": 3, \"diameter\": 2,"
          + " \"timeClass\": \"default\", \"everyAction\": true}";

  @TempDir Path specs;

  @Test
  void theFixtureHasNoFlaw() throws Exception {
    assertThat(Manifest.read(Fixture.specs()).flaws(Fixture.specs())).isEmpty();
  }

  @Test
  void aConfigurationThatIsNotListedIsAFlaw() throws Exception {
    Files.createFile(specs.resolve("MCM.cfg"));
    Files.createFile(specs.resolve("MCMBugNew.cfg"));
    Files.createFile(specs.resolve("TraceM.cfg"));

    assertThat(flaws(GOOD)).containsExactly("manifest.json lacks MCMBugNew.cfg");
  }

  @Test
  void anEntryListedTwiceIsAFlaw() throws Exception {
    Files.createFile(specs.resolve("MCM.cfg"));

    assertThat(flaws(GOOD + "," + GOOD)).containsExactly("manifest.json lists MCM twice");
  }

  @Test
  void noModelAtAllIsAFlaw() throws Exception {
    assertThat(flaws("")).containsExactly("manifest.json lists no model");
  }

  @Test
  void aModelThatHoldsMustPinItsCounts() throws Exception {
    Files.createFile(specs.resolve("MCM.cfg"));

    assertThat(flaws(GOOD.replace("3", "null")))
        .containsExactly("manifest.json: MCM: distinctStates and diameter must be given");
  }

  @Test
  void aControlMustNameItsProperty() throws Exception {
    Files.createFile(specs.resolve("MCM.cfg"));

    assertThat(flaws(GOOD.replace("\"kind\": \"holds\"", "\"kind\": \"bug\""))).hasSize(1);
    assertThat(flaws(GOOD.replace("\"expected\": \"holds\"", "\"expected\": \"violated\"")))
        .hasSize(1);
  }

  @Test
  void oneModelOfEachModuleMustTakeEveryAction() throws Exception {
    Files.createFile(specs.resolve("MCM.cfg"));

    assertThat(flaws(GOOD.replace("true", "false")))
        .containsExactly("manifest.json: no model of M has everyAction");
    assertThat(
            flaws(
                GOOD.replace("holds", "bug")
                    .replace("\"expected\": \"bug\"", "\"expected\": \"violated\"")
                    .replace("\"property\": null", "\"property\": \"SomeInv\"")))
        .containsExactly("manifest.json: MCM: everyAction is for models that hold");
  }

  @Test
  void anUnknownFieldIsRefused() {
    assertThatThrownBy(() -> flaws(GOOD.replace("kind", "sort")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("manifest.json")
        .hasMessageContaining("sort");
  }

  @Test
  void choosesByModuleByConfigurationAndByTimeClass() throws Exception {
    Manifest manifest = Manifest.read(Fixture.specs());

    assertThat(chosen(manifest, List.of(), false)).hasSize(8).doesNotContain("MCBroken");
    assertThat(chosen(manifest, List.of(), true)).hasSize(9);
    assertThat(chosen(manifest, List.of("Clock"), true)).hasSize(8).doesNotContain("MCBroken");
    assertThat(chosen(manifest, List.of("MCBroken", "MCClock"), false))
        .containsExactly("MCClock", "MCBroken");
  }

  @Test
  void refusesAnArgumentThatSelectsNothingEvenBesideOneThatDoes() throws Exception {
    Manifest manifest = Manifest.read(Fixture.specs());

    assertRefused(manifest, "MCClockBugLivenes", "Did you mean", "MCClockBugLiveness");
    assertRefused(manifest, "Nothing", "There are", "MCClock");
    assertRefused(manifest, "Broken", "--deep", "MCBroken");
    assertThat(chosen(manifest, List.of("Broken"), true)).containsExactly("MCBroken");
  }

  @Test
  void tellsAConfigurationThatIsNotListedFromOneThatDoesNotExist() throws Exception {
    Files.createFile(specs.resolve("MCMBugNew.cfg"));
    Files.writeString(specs.resolve("manifest.json"), "{\"models\": [" + GOOD + "]}");

    assertThatThrownBy(
            () -> TlcStage.choose(specs, Manifest.read(specs), List.of("MCMBugNew"), false))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("manifest.json does not list MCMBugNew.cfg");
  }

  private static void assertRefused(Manifest manifest, String argument, String... said) {
    assertThatThrownBy(() -> chosen(manifest, List.of("MCClock", argument), false))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(argument)
        .hasMessageContainingAll(said);
  }

  @Test
  void readsWhatAConfigurationChecks() throws Exception {
    Configuration configuration =
        Configuration.read(Fixture.specs().resolve("MCClockBugInvariant.cfg"));

    assertThat(configuration.invariants()).containsExactly("TypeInv", "EarlyInv");
    assertThat(configuration.properties()).isEmpty();
  }

  private static List<String> chosen(Manifest manifest, List<String> arguments, boolean deep)
      throws IOException {
    return TlcStage.choose(Fixture.specs(), manifest, arguments, deep).stream()
        .map(Manifest.Entry::config)
        .toList();
  }

  private List<String> flaws(String entries) throws IOException {
    Files.writeString(specs.resolve("manifest.json"), "{\"models\": [" + entries + "]}");
    return Manifest.read(specs).flaws(specs);
  }
}
