package org.overlaytrie.conformance.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * What every {@link ChildJvm} starts with: runs the program that the first argument names, and ends
 * the process with all its descendants when its parent is gone. The parent never writes to the
 * standard input, so that this ends when the parent does, even by SIGKILL; the program finds it
 * empty.
 *
 * <p>One class file that needs no other, because it stands alone on the class path of programs that
 * are not ours.
 */
final class ChildMain {

  private ChildMain() {}

  public static void main(String[] arguments) throws Throwable {
    InputStream parent = System.in;
    System.setIn(InputStream.nullInputStream());
    Thread watch = new Thread(() -> endWith(parent), "parent watch");
    watch.setDaemon(true);
    watch.start();
    Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
    main.setAccessible(true); // its class need not be public
    try {
      main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void endWith(InputStream parent) {
    try {
      while (parent.read() >= 0) {
        // Nothing is ever written.
      }
    } catch (IOException e) {
      // As good as its end.
    }
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(1);
  }
}
