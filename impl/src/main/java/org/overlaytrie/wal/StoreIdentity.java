package org.overlaytrie.wal;

/** The codecs that a store is opened with; kept in its superblock and compared at every open. */
public record StoreIdentity(
    String keyCodec, int keyCodecVersion, String valueCodec, int valueCodecVersion) {

  @Override
  public String toString() {
    return String.format(
        "key codec %s version %d and value codec %s version %d",
        keyCodec, keyCodecVersion, valueCodec, valueCodecVersion);
  }
}
