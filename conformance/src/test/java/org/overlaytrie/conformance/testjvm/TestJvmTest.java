package org.overlaytrie.conformance.testjvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.report.TestResult.Status;

class TestJvmTest {

  private static final Duration AMPLE = Duration.ofMinutes(2);

  @TempDir Path directory;

  private final List<TestResult> heard = new ArrayList<>();

  @Test
  void returnsOneResultForEveryInvocation() throws Exception {
    TestRun run = run(TestSelection.classes(List.of(name(Fixtures.Mixed.class))), AMPLE);

    assertThat(run.problem()).isNull();
    assertThat(run.passed()).isFalse();
    assertThat(run.tests())
        .extracting(TestResult::method, TestResult::displayName, TestResult::status)
        .containsExactlyInAnyOrder(
            tuple("passes", "passes(TestReporter)", Status.PASSED),
            tuple("fails", "fails()", Status.FAILED),
            tuple("assumesWhatDoesNotHold", "assumesWhatDoesNotHold()", Status.SKIPPED),
            tuple("isSmall", "[1] number=1", Status.PASSED),
            tuple("isSmall", "[2] number=2", Status.PASSED),
            tuple("isSmall", "[3] number=3", Status.FAILED));
    assertThat(heard).isEqualTo(run.tests());
    TestResult failed =
        run.failed().stream().filter(t -> t.method().equals("fails")).findAny().get();
    assertThat(failed.message()).contains("<b>left</b>").contains("Fixtures$Mixed.fails");
    assertThat(failed.className()).isEqualTo(name(Fixtures.Mixed.class));
  }

  @Test
  void saysWhatATestPublishesChecksAndIsTagged() throws Exception {
    TestRun run =
        run(TestSelection.methods(List.of(name(Fixtures.Mixed.class) + "#passes")), AMPLE);

    assertThat(run.passed()).isTrue();
    TestResult test = run.tests().get(0);
    assertThat(test.entries()).containsEntry("seed", "42");
    assertThat(test.checks()).containsExactly("Module!ClassInv", "Module!MethodInv");
    assertThat(test.tags()).containsExactly("fixture", "quick");
    assertThat(Files.readString(run.log())).contains("by a test");
  }

  @Test
  void selectsByTag() throws Exception {
    TestSelection all = TestSelection.classes(List.of(name(Fixtures.Mixed.class)));

    assertThat(run(all.withTags("quick"), AMPLE).tests())
        .extracting(TestResult::method)
        .containsExactly("passes");
    assertThat(run(all.withoutTags("quick"), AMPLE).tests()).hasSize(5);
  }

  @Test
  void failsWhenNothingIsSelected() throws Exception {
    TestRun run =
        run(TestSelection.classes(List.of(name(Fixtures.Mixed.class))).withTags("none"), AMPLE);

    assertThat(run.passed()).isFalse();
    assertThat(run.problem()).contains("no test is called").contains("Mixed");
  }

  @Test
  void failsWhenAMethodOrClassDoesNotExist() throws Exception {
    assertThat(run(TestSelection.classes(List.of("no.such.Class")), AMPLE).problem())
        .contains("no.such.Class");
    String mixed = name(Fixtures.Mixed.class);
    TestRun run = run(TestSelection.methods(List.of(mixed + "#fails", mixed + "#gone")), AMPLE);
    assertThat(run.problem()).isEqualTo("no test is called " + mixed + "#gone");
    assertThat(run.passed()).isFalse();
    assertThat(run.tests()).isEmpty();
    assertThat(run.selectNothing()).containsOnlyKeys(mixed + "#gone");
    assertThat(run.selectNothing().get(mixed + "#gone")).contains(mixed + "#fails").hasSize(4);
  }

  @Test
  void failsWhenANameSelectsNothingBesideOneThatDoes() throws Exception {
    String mixed = name(Fixtures.Mixed.class);
    TestSelection quick =
        TestSelection.named(List.of(mixed, name(Fixtures.Hangs.class))).withTags("quick");

    assertThat(run(quick, AMPLE).selectNothing()).containsOnlyKeys(name(Fixtures.Hangs.class));
  }

  @Test
  void reportsAClassWhoseSetUpFails() throws Exception {
    TestRun run = run(TestSelection.classes(List.of(name(Fixtures.BrokenSetUp.class))), AMPLE);

    assertThat(run.passed()).isFalse();
    assertThat(run.tests())
        .extracting(TestResult::method, TestResult::status)
        .containsExactly(tuple("*", Status.FAILED));
    assertThat(run.tests().get(0).message()).contains("no set-up");
  }

  @Test
  void failsTheTestDuringWhichTheJvmEnds() throws Exception {
    TestRun run = run(TestSelection.classes(List.of(name(Fixtures.EndsTheJvm.class))), AMPLE);

    assertThat(run.problem()).contains("exit status 3").contains("last words");
    assertThat(run.tests())
        .extracting(TestResult::method, TestResult::status)
        .containsExactly(tuple("exits", Status.FAILED));
  }

  @Test
  void killsTheJvmWhenTheTimeIsOver() throws Exception {
    TestRun run =
        run(TestSelection.classes(List.of(name(Fixtures.Hangs.class))), Duration.ofSeconds(2));

    assertThat(run.timedOut()).isTrue();
    assertThat(run.problem()).contains("killed after 2 s");
    assertThat(run.passed()).isFalse();
  }

  @Test
  void endsAlthoughATestLeavesAThread() throws Exception {
    TestRun run = run(TestSelection.classes(List.of(name(Fixtures.LeavesAThread.class))), AMPLE);

    assertThat(run.passed()).isTrue();
  }

  @Test
  void putsTheFirstEntriesOfTheClassPathInFront() throws Exception {
    Path front = Files.createDirectories(directory.resolve("with space"));
    Files.writeString(front.resolve("first.txt"), "override");
    Path behind = Files.createDirectories(directory.resolve("behind"));
    Files.writeString(behind.resolve("first.txt"), "hidden");
    List<Path> path = new ArrayList<>(List.of(front, behind));
    path.addAll(classPath());

    TestRun run =
        new TestJvm(path, List.of(), directory, directory.resolve("work"), AMPLE)
            .run(TestSelection.classes(List.of(name(Fixtures.SeesThePath.class))), heard::add);

    assertThat(run.passed()).as(String.valueOf(run)).isTrue();
  }

  @Test
  void readsNamesAsAUserTypesThem() {
    TestSelection selection =
        TestSelection.named(List.of("a.b.CTest", "a.b.CTest#method", "a.b", "DTest"));

    assertThat(selection.classes()).containsExactly("a.b.CTest", "DTest");
    assertThat(selection.methods()).containsExactly("a.b.CTest#method");
    assertThat(selection.packages()).containsExactly("a.b");
  }

  private TestRun run(TestSelection selection, Duration timeout)
      throws IOException, InterruptedException {
    heard.clear();
    return new TestJvm(classPath(), List.of("-Xmx128m"), directory, directory.resolve("w"), timeout)
        .run(selection, heard::add);
  }

  private static List<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  private static String name(Class<?> type) {
    return type.getName();
  }
}
