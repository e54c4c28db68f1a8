package org.overlaytrie.conformance.trace;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Keys and values as text: different bytes have different texts, and long ones have short texts.
 */
final class Bytes {
  private static final int SHOWN = 48;

  /** Characters that mean something where texts are written down, or in TLA+. */
  private static final String SPECIAL = "%,:=\"\\";

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
      return show(Arrays.copyOf(bytes, 16)) + "%..." + bytes.length + "-" + digest(bytes);
    }
    StringBuilder text = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      if (b > ' ' && b < 0x7f && SPECIAL.indexOf(b) < 0) {
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
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
