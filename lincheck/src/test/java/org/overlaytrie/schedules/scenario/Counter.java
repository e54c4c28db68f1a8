package org.overlaytrie.schedules.scenario;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.overlaytrie.schedules.Scenario;

/** Two threads of two steps each, without a rule: every order of them must come up. */
public final class Counter implements Scenario {
  private final Set<String> orders = new TreeSet<>();
  private final AtomicInteger clock = new AtomicInteger();
  private StringBuilder order;

  @Override
  public List<Body> begin() {
    order = new StringBuilder();
    return List.of(() -> tick("a"), () -> tick("b"));
  }

  private void tick(String name) {
    for (int i = 0; i < 2; i++) {
      clock.incrementAndGet();
      order.append(name);
    }
  }

  @Override
  public void check() {
    orders.add(order.toString());
  }

  @Override
  public String toString() {
    return orders.toString();
  }
}
