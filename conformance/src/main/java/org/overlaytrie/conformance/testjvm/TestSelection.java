package org.overlaytrie.conformance.testjvm;

import java.nio.file.Path;
import java.util.List;

/**
 * Which tests to run: all that any of the first four lists names, as far as their tags fit.
 *
 * @param roots directories of test classes; every test in them
 * @param packages packages, with those below them
 * @param classes binary class names
 * @param methods {@code Class#method}, for all overloads and invocations of the method
 * @param tags if not empty, only tests with at least one of these JUnit tags
 * @param excludedTags no tests with one of these JUnit tags
 */
public record TestSelection(
    List<Path> roots,
    List<String> packages,
    List<String> classes,
    List<String> methods,
    List<String> tags,
    List<String> excludedTags) {

  /** Copies the lists. */
  public TestSelection {
    roots = List.copyOf(roots);
    packages = List.copyOf(packages);
    classes = List.copyOf(classes);
    methods = List.copyOf(methods);
    tags = List.copyOf(tags);
    excludedTags = List.copyOf(excludedTags);
  }

  /** Every test in a directory of test classes. */
  public static TestSelection root(Path directory) {
    return new TestSelection(
        List.of(directory), List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /** Every test of these classes. */
  public static TestSelection classes(List<String> names) {
    return new TestSelection(List.of(), List.of(), names, List.of(), List.of(), List.of());
  }

  /** These test methods, each {@code Class#method}. */
  public static TestSelection methods(List<String> names) {
    return new TestSelection(List.of(), List.of(), List.of(), names, List.of(), List.of());
  }

  /** Tests by name as a user types them: each {@code Class}, {@code Class#method} or a package. */
  public static TestSelection named(List<String> names) {
    List<String> methods = names.stream().filter(name -> name.indexOf('#') >= 0).toList();
    List<String> classes =
        names.stream().filter(name -> name.indexOf('#') < 0 && isClass(name)).toList();
    List<String> packages =
        names.stream().filter(name -> name.indexOf('#') < 0 && !isClass(name)).toList();
    return new TestSelection(List.of(), packages, classes, methods, List.of(), List.of());
  }

  private static boolean isClass(String name) {
    return Character.isUpperCase(name.charAt(name.lastIndexOf('.') + 1));
  }

  /** Of these tests, only those with one of the tags. */
  public TestSelection withTags(String... only) {
    return new TestSelection(roots, packages, classes, methods, List.of(only), excludedTags);
  }

  /** Of these tests, only those with none of the tags. */
  public TestSelection withoutTags(String... excluded) {
    return new TestSelection(roots, packages, classes, methods, tags, List.of(excluded));
  }
}
