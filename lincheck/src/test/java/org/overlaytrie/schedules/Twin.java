package org.overlaytrie.schedules;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A class of the store, compiled from its own source with one place broken. */
final class Twin {
  private Twin() {}

  /**
   * The class files, by binary name, of {@code className} with the one occurrence of {@code right}
   * replaced.
   */
  static Map<String, byte[]> compile(String className, String right, String wrong)
      throws IOException {
    Path file = sources().resolve(className.replace('.', '/') + ".java");
    String source = Files.readString(file);
    int place = source.indexOf(right);
    if (place < 0 || place != source.lastIndexOf(right)) {
      throw new IllegalStateException(
          file
              + " does not hold this exactly once, so the twin must be brought up to date: "
              + right);
    }
    String broken = source.substring(0, place) + wrong + source.substring(place + right.length());
    Map<String, byte[]> classFiles = new HashMap<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaFileManager files =
        new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location,
              String name,
              JavaFileObject.Kind kind,
              javax.tools.FileObject sibling) {
            return new ClassFile(name, classFiles);
          }
        };
    boolean compiled =
        compiler
            .getTask(
                null,
                files,
                null,
                List.of("-proc:none", "--release", "17"),
                null,
                List.of(new Source(className, broken)))
            .call();
    if (!compiled) {
      throw new IllegalStateException("the twin of " + className + " does not compile");
    }
    return classFiles;
  }

  /** In the checkout that the tests run in. */
  private static Path sources() {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null) {
      Path sources = directory.resolve(Path.of("impl", "src", "main", "java"));
      if (Files.isDirectory(sources)) {
        return sources;
      }
      directory = directory.getParent();
    }
    throw new IllegalStateException("not run inside a checkout: no impl/src/main/java above here");
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("twin:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class ClassFile extends SimpleJavaFileObject {
    private final String name;
    private final Map<String, byte[]> classFiles;

    ClassFile(String name, Map<String, byte[]> classFiles) {
      super(URI.create("twin:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
      this.name = name;
      this.classFiles = classFiles;
    }

    @Override
    public OutputStream openOutputStream() {
      return new ByteArrayOutputStream() {
        @Override
        public void close() {
          classFiles.put(name, toByteArray());
        }
      };
    }
  }
}
