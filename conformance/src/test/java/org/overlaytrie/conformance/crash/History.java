package org.overlaytrie.conformance.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the clients of a store asked and were told, in the order in which it happened, across
 * crashes. A call's invocation is recorded before it enters the store and its answer after it left,
 * so a call recorded as answered before another was invoked really was.
 *
 * <p>Safe for use by any number of threads.
 */
public final class History {

  /** One call of one client. */
  public static final class Call {
    private final int client;
    private final Request request;
    private volatile long lsn;

    Call(int client, Request request) {
      this.client = client;
      this.request = request;
    }

    public Request request() {
      return request;
    }

    /** The LSN that the answer depends on, 0 while that is not known. */
    public long lsn() {
      return lsn;
    }

    void dependsOn(long newLsn) {
      lsn = newLsn;
    }

    @Override
    public String toString() {
      return "client " + client + " " + request + (lsn == 0 ? "" : " at LSN " + lsn);
    }
  }

  /** One thing that happened. */
  public sealed interface Event {}

  /** A client is about to call. */
  public record Invoked(Call call) implements Event {}

  /** A client has its answer. */
  public record Answered(Call call, Object result) implements Event {}

  /** The store was opened again, and every call under way before is over; it held this. */
  public record Reopened(Map<String, String> content) implements Event {}

  private final List<Event> events = new ArrayList<>();

  /** Records that the client calls. */
  public Call invoke(int client, Request request) {
    Call call = new Call(client, request);
    add(new Invoked(call));
    return call;
  }

  /** Records the answer. A call that never gets one may have taken effect or not. */
  public void answer(Call call, Object result) {
    add(new Answered(call, result));
  }

  /** Records what the store held when it was opened again. */
  public void reopen(Map<String, String> content) {
    add(new Reopened(Map.copyOf(content)));
  }

  private synchronized void add(Event event) {
    events.add(event);
  }

  /** How many events there are. */
  public synchronized int length() {
    return events.size();
  }

  /** The first {@code length} events. */
  public synchronized List<Event> prefix(int length) {
    return List.copyOf(events.subList(0, length));
  }

  /** All events. */
  public synchronized List<Event> events() {
    return List.copyOf(events);
  }
}
