package org.overlaytrie;

import java.util.Comparator;
import java.util.Objects;
import java.util.function.Function;
import org.overlaytrie.wal.StoreIdentity;

/**
 * A codec made of two functions.
 *
 * @param order the order of the encodings, null for the natural one of {@code T}
 */
record FunctionCodec<T>(
    String name,
    int version,
    Function<? super T, byte[]> encoder,
    Function<byte[], ? extends T> decoder,
    Comparator<? super T> order)
    implements Codec<T> {

  FunctionCodec {
    StoreIdentity.requireName(name, "this codec");
    Objects.requireNonNull(encoder, "encoder");
    Objects.requireNonNull(decoder, "decoder");
  }

  @Override
  public byte[] encode(T object) {
    return encoder.apply(Objects.requireNonNull(object, "object"));
  }

  @Override
  public T decode(byte[] bytes) {
    return decoder.apply(Objects.requireNonNull(bytes, "bytes"));
  }

  @Override
  public Comparator<? super T> comparator() {
    return order;
  }
}
