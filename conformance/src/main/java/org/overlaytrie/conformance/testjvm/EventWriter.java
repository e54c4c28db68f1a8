package org.overlaytrie.conformance.testjvm;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.AnnotatedElement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.overlaytrie.conformance.report.Json;
import org.overlaytrie.conformance.report.TestResult;
import org.overlaytrie.conformance.report.TestResult.Status;
import org.overlaytrie.spec.Checks;

/** Writes one line per test that starts or ends. Safe for tests that run in parallel. */
final class EventWriter implements TestExecutionListener {

  private final PrintStream out;
  private final Map<String, Long> startNanos = new ConcurrentHashMap<>();
  private final Map<String, Map<String, String>> entries = new ConcurrentHashMap<>();
  private volatile TestPlan plan;

  EventWriter(PrintStream out) {
    this.out = out;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    plan = started;
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    startNanos.put(test.getUniqueId(), System.nanoTime());
    if (test.isTest()) {
      write(TestEvent.Kind.STARTED, test, Status.SKIPPED, null);
    }
  }

  @Override
  public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    entries
        .computeIfAbsent(test.getUniqueId(), id -> new ConcurrentHashMap<>())
        .putAll(entry.getKeyValuePairs());
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    write(TestEvent.Kind.ENDED, test, Status.SKIPPED, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Status status =
        switch (result.getStatus()) {
          case SUCCESSFUL -> Status.PASSED;
          case ABORTED -> Status.SKIPPED;
          case FAILED -> Status.FAILED;
        };
    if (test.isTest() || status != Status.PASSED) {
      String message = result.getThrowable().map(EventWriter::stackTrace).orElse(null);
      write(TestEvent.Kind.ENDED, test, status, message);
    }
  }

  private void write(TestEvent.Kind kind, TestIdentifier test, Status status, String message) {
    Long start = startNanos.get(test.getUniqueId());
    double seconds = start == null ? 0 : (System.nanoTime() - start) / 1e9;
    Optional<MethodSource> method = method(test);
    Class<?> owner = method.map(MethodSource::getJavaClass).orElseGet(() -> owner(test));
    TestResult result =
        new TestResult(
            "",
            owner == null ? test.getDisplayName() : owner.getName(),
            method.map(MethodSource::getMethodName).orElse("*"),
            test.getDisplayName(),
            status,
            seconds,
            message,
            new LinkedHashMap<>(entries.getOrDefault(test.getUniqueId(), Map.of())),
            test.getTags().stream().map(TestTag::getName).sorted().toList(),
            checks(method, owner));
    out.println(Json.line(new TestEvent(kind, test.getUniqueId(), result, null)));
  }

  /** The nearest method above: invocations of parameterized and dynamic tests have none. */
  private Optional<MethodSource> method(TestIdentifier test) {
    for (var next = Optional.of(test); next.isPresent(); next = plan.getParent(next.get())) {
      if (next.get().getSource().orElse(null) instanceof MethodSource source) {
        return Optional.of(source);
      }
    }
    return Optional.empty();
  }

  private Class<?> owner(TestIdentifier test) {
    for (var next = Optional.of(test); next.isPresent(); next = plan.getParent(next.get())) {
      if (next.get().getSource().orElse(null) instanceof ClassSource source) {
        return source.getJavaClass();
      }
    }
    return null;
  }

  private static List<String> checks(Optional<MethodSource> method, Class<?> owner) {
    var names = new TreeSet<String>();
    method.ifPresent(source -> addChecks(source.getJavaMethod(), names));
    for (Class<?> type = owner; type != null; type = type.getEnclosingClass()) {
      addChecks(type, names);
    }
    return List.copyOf(names);
  }

  private static void addChecks(AnnotatedElement element, Set<String> names) {
    Checks checks = element.getAnnotation(Checks.class);
    if (checks != null) {
      names.addAll(List.of(checks.value()));
    }
  }

  private static String stackTrace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString().strip();
  }
}
