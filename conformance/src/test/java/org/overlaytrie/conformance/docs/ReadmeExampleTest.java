package org.overlaytrie.conformance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeExampleTest {

  @Test
  void theExampleInTheReadmeCompilesAndDoesWhatItSays(@TempDir Path scratch) throws Exception {
    String readme = Files.readString(Path.of("..", "README.md"));
    Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(readme);
    assertThat(block.find()).as("the README has a Java example").isTrue();

    Path classes = Files.createDirectory(scratch.resolve("classes"));
    compile(block.group(1), classes);

    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      var count = loader.loadClass("Words").getDeclaredMethod("count", Path.class);
      count.setAccessible(true);
      assertThat(count.invoke(null, scratch.resolve("store"))).isEqualTo(2L);
      assertThat(count.invoke(null, scratch.resolve("store"))).as("reopened").isEqualTo(2L);
    }
  }

  private static void compile(String source, Path target) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaFileObject unit =
        new SimpleJavaFileObject(URI.create("string:///Words.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter messages = new StringWriter();
    String classPath = System.getProperty("java.class.path");
    List<String> options =
        List.of("-Xlint:all", "-Werror", "-proc:none", "-d", target.toString(), "-cp", classPath);
    boolean compiled = compiler.getTask(messages, null, null, options, null, List.of(unit)).call();
    assertThat(compiled).as(messages.toString()).isTrue();
  }
}
