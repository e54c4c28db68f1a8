package org.overlaytrie;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** Strings of bytes: any key can be made, and the natural order is that of the encodings. */
final class Latin1 implements Codec<String> {
  @Override
  public String name() {
    return "latin1";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public byte[] encode(String object) {
    return object.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public String decode(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public Comparator<String> comparator() {
    return null;
  }
}
