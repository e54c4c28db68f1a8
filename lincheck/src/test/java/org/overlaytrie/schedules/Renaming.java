package org.overlaytrie.schedules;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Gives the project's classes, but for those of this package, names that no other loader in this
 * JVM uses. Lincheck keeps the classes that it transforms by their names alone and does not ask for
 * their loader. Under its own name a class with steps, or a broken twin, would therefore take the
 * place of the one that ships in every Lincheck test that comes later.
 */
final class Renaming {
  private static final AtomicLong NEXT = new AtomicLong();
  private static final Pattern PROJECT = Pattern.compile("org/overlaytrie/(?!schedules/[A-Z])");

  private final String root = "org/overlaytrie" + NEXT.incrementAndGet() + "/";

  /** The new one of a binary name; the same if it stays. */
  String rename(String name) {
    return renameAll(name.replace('.', '/')).replace('/', '.');
  }

  /** The binary name that was renamed to {@code name}; null if none was. */
  String original(String name) {
    String path = name.replace('.', '/');
    return path.startsWith(root)
        ? "org.overlaytrie." + path.substring(root.length()).replace('/', '.')
        : null;
  }

  /** The class file with new names for itself and for all that it refers to. */
  byte[] renameIn(byte[] classFile) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length + 1024);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(in.readLong()); // magic and version
      int constants = in.readUnsignedShort();
      out.writeShort(constants);
      for (int i = 1; i < constants; i++) {
        i += renameConstant(in, out) - 1;
      }
      in.transferTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** All names, of classes alone and within types, are text constants. How many places it takes. */
  private int renameConstant(DataInputStream in, DataOutputStream out) throws IOException {
    int tag = in.readUnsignedByte();
    out.writeByte(tag);
    switch (tag) {
      case 1 -> out.writeUTF(renameAll(in.readUTF()));
      case 3, 4, 9, 10, 11, 12, 17, 18 -> out.write(in.readNBytes(4));
      case 5, 6 -> out.write(in.readNBytes(8));
      case 7, 8, 16, 19, 20 -> out.write(in.readNBytes(2));
      case 15 -> out.write(in.readNBytes(3));
      default -> throw new IOException("a constant of an unknown kind: " + tag);
    }
    return tag == 5 || tag == 6 ? 2 : 1;
  }

  private String renameAll(String text) {
    return PROJECT.matcher(text).replaceAll(root);
  }
}
