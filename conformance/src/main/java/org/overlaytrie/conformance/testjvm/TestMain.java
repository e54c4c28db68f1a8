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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
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
      LauncherFactory.create().execute(request(selection), new EventWriter(out));
      out.println(Json.line(new TestEvent(TestEvent.Kind.DONE, null, null)));
      if (out.checkError()) {
        throw new IOException("cannot write " + events);
      }
    }
  }

  private static LauncherDiscoveryRequest request(TestSelection selection) throws Exception {
    List<DiscoverySelector> selectors = new ArrayList<>();
    selectors.addAll(selectClasspathRoots(Set.copyOf(selection.roots())));
    selection.packages().forEach(name -> selectors.add(selectPackage(name)));
    for (String name : selection.classes()) {
      selectors.add(selectClass(load(name)));
    }
    for (String name : selection.methods()) {
      selectors.addAll(overloads(name));
    }
    var request = LauncherDiscoveryRequestBuilder.request().selectors(selectors);
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
    if (found.isEmpty()) {
      throw new IllegalArgumentException(name + " is no method");
    }
    return found;
  }

  private static Class<?> load(String name) throws ClassNotFoundException {
    return Class.forName(name, false, TestMain.class.getClassLoader());
  }
}
