package org.overlaytrie.conformance.matrix;

/**
 * One piece of evidence that the sources claim to have; a run shows whether it holds.
 *
 * @param invariant {@code Module!Name}
 * @param name what to look for in a run: a configuration (model, control, trace), {@code
 *     Class#member} or a class (code, tests), or a mutant
 * @param path the file it is in, relative to the project's root, with slashes
 * @param note what a reader should know beside the name; may be empty
 */
public record Link(Column column, String invariant, String name, String path, String note) {

  /** The name without its package, for a reader. */
  public String shortName() {
    return withoutPackage(name);
  }

  /** {@code Class} or {@code Class#member} without the package. */
  static String withoutPackage(String element) {
    int hash = element.indexOf('#');
    int dot = element.lastIndexOf('.', hash < 0 ? element.length() : hash);
    return element.substring(dot + 1).replace('$', '.');
  }
}
