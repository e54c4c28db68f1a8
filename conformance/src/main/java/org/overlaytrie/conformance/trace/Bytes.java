package org.overlaytrie.conformance.trace;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Keys and values as text: different bytes have different texts, and long ones have short texts.
 */
final class Bytes {
  private static final int SHOWN = 48;

  private Bytes() {}

  /**
   * Printable ASCII as it is, other bytes as <code>%XX</code>; of more than 48 bytes the first 16,
   * the length and a digest.
   */
  static String show(byte[] bytes) {
    if (bytes == null) {
      return null;
    }
    if (bytes.length > SHOWN) {
      return show(java.util.Arrays.copyOf(bytes, 16)) + "%..." + bytes.length + ":" + digest(bytes);
    }
    StringBuilder text = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      if (b > ' ' && b < 0x7f && b != '%' && b != '"' && b != '\\') {
        text.append((char) b);
      } else {
        text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
      }
    }
    return text.toString();
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new String(
          HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII),
          StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
