package org.overlaytrie;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Encodings that have all the same number of bytes, so that what follows one needs no mark of its
 * beginning.
 *
 * @param <T> what is encoded
 */
final class FixedWidthCodec<T> implements Codec<T> {
  private final String name;
  private final int width;
  private final BiConsumer<ByteBuffer, T> put;
  private final Function<ByteBuffer, T> get;
  private final Comparator<T> comparator;

  /**
   * @param comparator the order of the encodings, null if that is the natural one of {@code T}
   */
  FixedWidthCodec(
      String name,
      int width,
      BiConsumer<ByteBuffer, T> put,
      Function<ByteBuffer, T> get,
      Comparator<T> comparator) {
    this.name = name;
    this.width = width;
    this.put = put;
    this.get = get;
    this.comparator = comparator;
  }

  int width() {
    return width;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public byte[] encode(T object) {
    ByteBuffer buffer = ByteBuffer.allocate(width);
    put.accept(buffer, object);
    return buffer.array();
  }

  @Override
  public T decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  @Override
  public T decode(byte[] bytes, int from, int to) {
    if (to - from != width) {
      throw new IllegalArgumentException(
          name + " is encoded in " + width + " bytes, not in " + (to - from));
    }
    return get.apply(ByteBuffer.wrap(bytes, from, width));
  }

  @Override
  public Comparator<T> comparator() {
    return comparator;
  }
}
