package org.overlaytrie.conformance.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.overlaytrie.conformance.matrix.GateProject.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinksTest {

  @TempDir private Path root;

  @BeforeEach
  void writeProject() throws IOException {
    GateProject.write(root);
  }

  @Test
  void hasNoProblemsWhereEveryNameLeadsSomewhere() throws IOException {
    assertThat(Links.collect(root).problems()).isEmpty();
  }

  @Test
  void leavesOutModelsThatOnlyADeepRunHas() throws IOException {
    assertThat(Links.collect(root).links())
        .filteredOn(link -> link.column() == Column.MODEL)
        .extracting(Link::name)
        .containsExactly("MCGates");
  }

  @Test
  void findsAnInvariantThatNoModuleDefines() throws IOException {
    Path module = root.resolve("specs/Gates.tla");
    Files.writeString(module, Files.readString(module).replace("OpenInv ==", "Opened =="));
    assertThat(Links.collect(root).problems())
        .containsExactly("specs/matrix.json lists Gates!OpenInv, which no module defines");
  }

  @Test
  void takesADefinitionBesideTheBoundsToo() throws IOException {
    Path module = root.resolve("specs/Gates.tla");
    Files.writeString(module, Files.readString(module).replace("OpenInv ==", "Opened =="));
    file(root, "specs/MCGates.tla", "OpenInv == TRUE\nReachShutInv == FALSE\n");
    assertThat(Links.collect(root).problems()).isEmpty();
  }

  @Test
  void findsADefinedInvariantWithoutARow() throws IOException {
    Path module = root.resolve("specs/Gates.tla");
    Files.writeString(module, Files.readString(module).replace("Open ==", "ShutProp =="));
    assertThat(Links.collect(root).problems())
        .containsExactly("Gates!ShutProp is defined and has no row in specs/matrix.json");
  }

  @Test
  void findsMarksAndMutantsThatNameAnUnknownInvariant() throws IOException {
    file(
        root,
        "impl/src/test/java/gate/OtherTest.java",
        """
        package gate;
        class OtherTest {
          @Checks({"Gates!OpenInv", "Gates!GoneInv"}) @Test void checks() {}
          @Upholds("Fences!OpenInv") int field;
        }
        """);
    Path mutant = root.resolve("conformance/mutants/OpenInv-shut.patch");
    Files.writeString(mutant, Files.readString(mutant).replace("Gates!", "Doors!"));
    assertThat(Links.collect(root).problems())
        .containsExactlyInAnyOrder(
            "impl/src/test/java/gate/OtherTest.java: gate.OtherTest#checks names unknown"
                + " Gates!GoneInv",
            "impl/src/test/java/gate/OtherTest.java: gate.OtherTest#field names unknown"
                + " Fences!OpenInv",
            "the mutant OpenInv-shut names unknown Doors!OpenInv");
  }

  @Test
  void leavesOutTheFixturesOfOtherTests() throws IOException {
    file(
        root,
        "impl/src/test/java/gate/Fixtures.java",
        """
        package gate;
        class Fixtures {
          @Tag("fixture") @Checks("Made!UpInv") static class Inner { @Checks("Up!Inv") void a() {} }
        }
        """);
    assertThat(Links.collect(root).problems()).isEmpty();
  }

  @Test
  void refusesAMarkWhoseNameCannotBeReadInTheSource() throws IOException {
    file(
        root,
        "impl/src/test/java/gate/OtherTest.java",
        "package gate; class OtherTest { @Checks(NAME) void checks() {} }");
    assertThatThrownBy(() -> Links.collect(root))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("OtherTest.java: @Checks takes string literals only, not NAME");
  }

  @Test
  void refusesASourceThatIsNotJava() throws IOException {
    file(root, "impl/src/test/java/gate/OtherTest.java", "package gate; class OtherTest {");
    assertThatThrownBy(() -> Links.collect(root)).hasMessageContaining("OtherTest.java");
  }

  @Test
  void refusesAListThatIsNotInTheForm() throws IOException {
    assertListRefused("{\"invariants\": []}", "lists no invariants");
    assertListRefused("{}", "lists no invariants");
    assertListRefused("{\"invariants\": [{\"name\": \"OpenInv\"}]}", "not of the form");
    assertListRefused(
        "{\"invariants\": [{\"name\": \"G!A\"}, {\"name\": \"G!A\"}]}", "G!A occurs twice");
    assertListRefused(
        "{\"invariants\": [{\"name\": \"G!A\", \"excused\": {\"moon\": \"far\"}}]}", "moon");
    assertListRefused(
        "{\"invariants\": [{\"name\": \"G!A\", \"excused\": {\"code\": \" \"}}]}",
        "excused without a reason");
    assertListRefused("{\"invariant\": 1}", "matrix.json");
  }

  private void assertListRefused(String json, String problem) throws IOException {
    file(root, "specs/matrix.json", json);
    assertThatThrownBy(() -> Links.collect(root))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(problem);
  }
}
