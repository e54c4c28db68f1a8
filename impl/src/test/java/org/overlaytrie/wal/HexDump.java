package org.overlaytrie.wal;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Hex dumps as the documents show them: a line has an offset, sixteen bytes and their characters;
 * {@code *} stands for repetitions of the line before; the last line is the length.
 */
public final class HexDump {

  private static final int WIDTH = 16;
  private static final HexFormat BYTES = HexFormat.ofDelimiter(" ");

  private HexDump() {}

  /** The dump of {@code bytes}. */
  public static String write(byte[] bytes) {
    StringBuilder dump = new StringBuilder();
    byte[] previous = null;
    boolean repeating = false;
    for (int at = 0; at < bytes.length; at += WIDTH) {
      byte[] line = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + WIDTH));
      if (Arrays.equals(line, previous)) {
        dump.append(repeating ? "" : "*\n");
        repeating = true;
      } else {
        dump.append(
            String.format("%08x  %-47s  |%s|%n", at, BYTES.formatHex(line), characters(line)));
        repeating = false;
      }
      previous = line;
    }
    return dump.append(String.format("%08x%n", bytes.length)).toString();
  }

  private static String characters(byte[] line) {
    StringBuilder characters = new StringBuilder();
    for (byte b : line) {
      characters.append(b >= ' ' && b <= '~' ? (char) b : '.');
    }
    return characters.toString();
  }

  /** The bytes of a dump. */
  public static byte[] read(List<String> dump) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] previous = new byte[0];
    for (String line : dump) {
      if (line.equals("*")) {
        continue; // the next offset says how often
      }
      int offset = Integer.parseInt(line.substring(0, 8), 16);
      while (bytes.size() < offset) {
        bytes.writeBytes(previous);
      }
      if (line.length() > 8) {
        previous = BYTES.parseHex(line.substring(10, 57).strip());
        bytes.writeBytes(previous);
      }
    }
    return bytes.toByteArray();
  }
}
