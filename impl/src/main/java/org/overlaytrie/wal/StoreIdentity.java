package org.overlaytrie.wal;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The codecs that a store is opened with; kept in its superblock and compared at every open. */
public record StoreIdentity(
    String keyCodec, int keyCodecVersion, String valueCodec, int valueCodecVersion) {

  /** The longest name of a codec, in characters. */
  public static final int MAX_NAME_LENGTH = 100;

  /**
   * Returns {@code name} if it can be the name of a codec.
   *
   * @param codec which codec it is, for the message
   * @throws NullPointerException if it is null
   * @throws IllegalArgumentException if it is empty, too long, or has no encoding in UTF-8
   */
  public static String requireName(String name, String codec) {
    Objects.requireNonNull(name, () -> "the name of " + codec);
    if (name.isEmpty() || name.length() > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException(
          "the name of "
              + codec
              + " has "
              + name.length()
              + " characters; 1 to "
              + MAX_NAME_LENGTH
              + " are allowed"
              + (name.isEmpty() ? "" : ": " + name.substring(0, MAX_NAME_LENGTH) + "..."));
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "the name of " + codec + " has a surrogate that is not part of a pair");
    }
    return name;
  }

  @Override
  public String toString() {
    return String.format(
        "key codec %s version %d and value codec %s version %d",
        keyCodec, keyCodecVersion, valueCodec, valueCodecVersion);
  }
}
