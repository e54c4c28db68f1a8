package org.overlaytrie.conformance.testjvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.overlaytrie.spec.Checks;

/** Tests that {@link TestJvmTest} runs in a child; no other run includes the tag. */
final class Fixtures {

  private Fixtures() {}

  @Tag("fixture")
  @Checks("Module!ClassInv")
  static class Mixed {
    @Test
    @Tag("quick")
    @Checks("Module!MethodInv")
    void passes(TestReporter reporter) {
      System.out.println("{\"printed\": \"by a test\"}");
      reporter.publishEntry("seed", "42");
    }

    @Test
    void fails() {
      assertEquals("<b>left</b>", "right");
    }

    @Test
    void assumesWhatDoesNotHold() {
      assumeTrue(false, "not here");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void isSmall(int number) {
      assertEquals(Math.min(number, 2), number);
    }
  }

  @Tag("fixture")
  static class BrokenSetUp {
    @BeforeAll
    static void breakSetUp() {
      assertEquals("set-up", "no set-up");
    }

    @Test
    void neverRuns() {}
  }

  @Tag("fixture")
  static class EndsTheJvm {
    @Test
    void exits() {
      System.out.println("last words");
      Runtime.getRuntime().halt(3);
    }
  }

  @Tag("fixture")
  static class Hangs {
    @Test
    void waitsForEver() throws Exception {
      new CountDownLatch(1).await();
    }
  }

  @Tag("fixture")
  static class LeavesAThread {
    @Test
    void startsAThreadThatNeverEnds() {
      new Thread(
              () -> {
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              })
          .start();
    }
  }

  @Tag("fixture")
  static class SeesThePath {
    @Test
    void findsTheFirstEntry() throws Exception {
      try (var in = SeesThePath.class.getResourceAsStream("/first.txt")) {
        assertEquals("override", new String(in.readAllBytes(), UTF_8));
      }
    }
  }
}
