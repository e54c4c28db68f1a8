package org.overlaytrie.conformance.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.overlaytrie.spec.TraceRecorder.Kind;

/** As few names as threads write at the same time. */
class WritersTest {

  @Test
  void givesTheNameOfAFinishedThreadToTheNext() {
    Events events = new Events();
    for (long thread = 1; thread <= 3; thread++) {
      events.put(thread, "key", "value").add(thread, Kind.OBSERVE_NO_OP, 0L).answer(thread, null);
    }
    assertThat(names(events)).containsExactly("w1", "w1", "w1", "w1", "w1", "w1", "w1", "w1", "w1");
  }

  @Test
  void keepsTheNameOfAThreadWhoseEntryIsStillOnTheStack() {
    Events events = new Events();
    events.put(1, "key", "value").add(1, Kind.ENQUEUE, 1L).answer(1, null);
    events.put(2, "key", "value").add(2, Kind.DRAIN_WAITERS, 1L, 1L).answer(2, null);
    events.put(3, "key", "value");
    assertThat(names(events)).containsExactly("w1", "w1", "w1", "w2", "w2", "w2", "w1");
  }

  @Test
  void keepsTheNameOfAThreadThatDidNotFinish() {
    Events events = new Events().put(1, "key", "value").put(2, "key", "value");
    assertThat(names(events)).containsExactly("w1", "w2");
  }

  private static List<String> names(Events events) {
    List<TraceEvent> order = events.closed().threads().stream().flatMap(List::stream).toList();
    Writers writers = new Writers(order);
    List<String> names = new ArrayList<>();
    for (TraceEvent event : order) {
      names.add(writers.of(event.thread()));
      writers.passed();
    }
    return names;
  }
}
