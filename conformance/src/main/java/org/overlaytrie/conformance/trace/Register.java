package org.overlaytrie.conformance.trace;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A shared variable of the protocol whose value only grows: each value has one writer, and whoever
 * read it did so after that writer and before the next.
 */
final class Register {
  private final String name;
  private final EventGraph graph;
  private final TreeMap<Long, Integer> writers = new TreeMap<>();

  Register(String name, EventGraph graph) {
    this.name = name;
    this.graph = graph;
  }

  /** {@code node} set the variable to {@code value}. */
  void write(long value, int node) throws TraceProblem {
    Integer twin = writers.put(value, node);
    if (twin != null) {
      throw new TraceProblem(
          "two events made " + name + " " + value, List.of(graph.event(twin), graph.event(node)));
    }
  }

  /** Orders the writers; to be called after the last {@link #write} and before reads. */
  void orderWriters() {
    Integer previous = null;
    for (int writer : writers.values()) {
      if (previous != null) {
        graph.before(previous, writer);
      }
      previous = writer;
    }
  }

  /** {@code node} found the variable to hold {@code value}. */
  void read(long value, int node) throws TraceProblem {
    Integer writer = writers.get(value);
    if (writer == null) {
      throw new TraceProblem(
          "no event made " + name + " " + value + ", which was seen", List.of(graph.event(node)));
    }
    graph.before(writer, node);
    Map.Entry<Long, Integer> next = writers.higherEntry(value);
    if (next != null) {
      graph.before(node, next.getValue());
    }
  }

  /** {@code node} relied on the variable being {@code value} or more. */
  void readAtLeast(long value, int node) throws TraceProblem {
    Map.Entry<Long, Integer> writer = writers.ceilingEntry(value);
    if (writer == null) {
      throw new TraceProblem(
          "no event made " + name + " " + value + " or more, which was relied on",
          List.of(graph.event(node)));
    }
    graph.before(writer.getValue(), node);
  }

  /** {@code node} comes after the variable became {@code value} or more, unless it cannot. */
  void prefersAtLeast(long value, int node) {
    Map.Entry<Long, Integer> writer = writers.ceilingEntry(value);
    if (writer != null) {
      graph.preferablyBefore(writer.getValue(), node);
    }
  }

  /** {@code node} relied on the variable being less than {@code value}. */
  void readBelow(long value, int node) {
    Map.Entry<Long, Integer> writer = writers.ceilingEntry(value);
    if (writer != null) {
      graph.before(node, writer.getValue());
    }
  }
}
