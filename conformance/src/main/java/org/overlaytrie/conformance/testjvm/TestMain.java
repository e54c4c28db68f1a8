package org.overlaytrie.conformance.testjvm;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.overlaytrie.conformance.report.Json;

/** The child JVM's program: arguments are the selection's file and the file for the events. */
final class TestMain {

  private TestMain() {}

  @SuppressWarnings("SystemExitOutsideMain") // a test may leave threads behind
  public static void main(String[] arguments) {
    try {
      run(Json.read(Path.of(arguments[0]), TestSelection.class), Path.of(arguments[1]));
      System.exit(0);
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void run(TestSelection selection, Path events) throws Exception {
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(events), true, StandardCharsets.UTF_8)) {
      Launcher launcher = LauncherFactory.create();
      List<TestEvent> selectNothing = selectNothing(launcher, selection);
      if (selectNothing.isEmpty()) {
        launcher.execute(request(selection, selectors(selection)), new EventWriter(out));
      }
      selectNothing.forEach(event -> out.println(Json.line(event)));
      out.println(Json.line(new TestEvent(TestEvent.Kind.DONE, null, null, null)));
      if (out.checkError()) {
        throw new IOException("cannot write " + events);
      }
    }
  }

  /** The classes and methods without a test whose tags fit. */
  private static List<TestEvent> selectNothing(Launcher launcher, TestSelection selection)
      throws ClassNotFoundException {
    List<TestEvent> found = new ArrayList<>();
    for (String name : selection.classes()) {
      TestPlan plan = launcher.discover(request(selection, List.of(selectClass(load(name)))));
      if (!plan.containsTests()) {
        found.add(new TestEvent(TestEvent.Kind.SELECTS_NOTHING, name, null, List.of()));
      }
    }
    for (String name : selection.methods()) {
      if (!launcher.discover(request(selection, overloads(name))).containsTests()) {
        Class<?> type = load(name.substring(0, name.indexOf('#')));
        TestPlan plan = launcher.discover(request(selection, List.of(selectClass(type))));
        List<String> methods = methods(plan).map(method -> type.getName() + "#" + method).toList();
        found.add(new TestEvent(TestEvent.Kind.SELECTS_NOTHING, name, null, methods));
      }
    }
    return found;
  }

  private static Stream<String> methods(TestPlan plan) {
    return plan.getRoots().stream()
        .flatMap(root -> plan.getDescendants(root).stream())
        .flatMap(test -> test.getSource().stream())
        .filter(MethodSource.class::isInstance)
        .map(source -> ((MethodSource) source).getMethodName())
        .distinct();
  }

  private static List<DiscoverySelector> selectors(TestSelection selection)
      throws ClassNotFoundException {
    List<DiscoverySelector> selectors = new ArrayList<>();
    selectors.addAll(selectClasspathRoots(Set.copyOf(selection.roots())));
    selection.packages().forEach(name -> selectors.add(selectPackage(name)));
    for (String name : selection.classes()) {
      selectors.add(selectClass(load(name)));
    }
    for (String name : selection.methods()) {
      selectors.addAll(overloads(name));
    }
    return selectors;
  }

  private static LauncherDiscoveryRequest request(
      TestSelection selection, Collection<? extends DiscoverySelector> selectors) {
    var request = LauncherDiscoveryRequestBuilder.request().selectors(List.copyOf(selectors));
    if (!selection.tags().isEmpty()) {
      request.filters(TagFilter.includeTags(selection.tags()));
    }
    if (!selection.excludedTags().isEmpty()) {
      request.filters(TagFilter.excludeTags(selection.excludedTags()));
    }
    return request.build();
  }

  private static Set<DiscoverySelector> overloads(String name) throws ClassNotFoundException {
    int hash = name.indexOf('#');
    Class<?> type = load(name.substring(0, hash));
    String method = name.substring(hash + 1);
    Set<DiscoverySelector> found = new LinkedHashSet<>();
    for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
      Arrays.stream(owner.getDeclaredMethods())
          .filter(candidate -> candidate.getName().equals(method) && !candidate.isSynthetic())
          .forEach(candidate -> found.add(selectMethod(type, candidate)));
    }
    return found;
  }

  private static Class<?> load(String name) throws ClassNotFoundException {
    return Class.forName(name, false, TestMain.class.getClassLoader());
  }
}
