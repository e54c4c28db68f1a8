package org.overlaytrie.schedules;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Loads the project's classes anew, those under test with a {@link StepInserter}. The classes of
 * this package, which drive, stay shared; scenarios live in packages below it. A {@link Renaming}
 * keeps all that is loaded here apart from the classes that ship.
 */
final class SteppingLoader extends ClassLoader {
  private final Predicate<String> underTest;
  private final Map<String, byte[]> replacements;
  private final StepInserter inserter = new StepInserter(this::bytes);
  private final Renaming renaming = new Renaming();

  /**
   * @param underTest which classes, by their binary names, are controlled
   * @param replacements class files to take instead of those on the class path, by binary name:
   *     broken twins
   */
  SteppingLoader(Predicate<String> underTest, Map<String, byte[]> replacements) {
    super(SteppingLoader.class.getClassLoader());
    this.underTest = underTest;
    this.replacements = Map.copyOf(replacements);
  }

  /** A new instance of {@code type}, loaded here. */
  Scenario scenario(Class<? extends Scenario> type) throws ReflectiveOperationException {
    return (Scenario)
        loadClass(renaming.rename(type.getName())).getDeclaredConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    String original = renaming.original(name);
    if (original == null) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] code = bytes(original);
        if (code == null) {
          throw new ClassNotFoundException(name);
        }
        code = renaming.renameIn(underTest.test(original) ? inserter.insertSteps(code) : code);
        loaded = defineClass(name, code, 0, code.length);
      }
      return loaded;
    }
  }

  private byte[] bytes(String name) {
    byte[] replacement = replacements.get(name);
    if (replacement != null) {
      return replacement;
    }
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
