package org.overlaytrie.wal;

/** The codecs that a store is opened with; kept in its superblock and compared at every open. */
public record StoreIdentity(
    String keyCodec, int keyCodecVersion, String valueCodec, int valueCodecVersion) {}
