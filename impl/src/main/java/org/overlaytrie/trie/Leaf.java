package org.overlaytrie.trie;

/** One entry. Its key is the way to the leaf followed by {@code suffix}. */
final class Leaf extends Node {
  final byte[] suffix;
  final byte[] value;

  Leaf(byte[] suffix, byte[] value) {
    this.suffix = suffix;
    this.value = value;
  }

  @Override
  byte[] fragment() {
    return suffix;
  }

  @Override
  byte[] value() {
    return value;
  }

  @Override
  long size() {
    return 1;
  }

  @Override
  Leaf withFragment(byte[] newSuffix) {
    return new Leaf(newSuffix, value);
  }

  @Override
  Leaf withValue(byte[] newValue) {
    return new Leaf(suffix, newValue);
  }
}
