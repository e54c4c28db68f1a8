package org.overlaytrie;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import org.overlaytrie.wal.StoreIdentity;

/**
 * Two encodings one behind the other, such that the pairs are ordered by their first components and
 * then by their second.
 *
 * <p>The first one must not run into the second: {@code "a"} before {@code "b"} is not {@code "ab"}
 * before the empty string, and comes before every pair that begins with {@code "ab"}. If its width
 * is not fixed, a zero byte in it becomes {@code 00 FF}, and {@code 00 00} ends it, which is less
 * than all that may stand in that place.
 */
final class PairCodec<A, B> implements Codec<Map.Entry<A, B>> {
  private static final int ESCAPED = 0xFF;

  private final Codec<A> first;
  private final Codec<B> second;
  private final String name;

  PairCodec(Codec<A> first, Codec<B> second) {
    this.first = Objects.requireNonNull(first, "first");
    this.second = Objects.requireNonNull(second, "second");
    String name = "pair(" + named(first, "first") + "," + named(second, "second") + ")";
    if (name.length() > StoreIdentity.MAX_NAME_LENGTH) {
      throw new IllegalArgumentException(
          "the name of a codec has at most "
              + StoreIdentity.MAX_NAME_LENGTH
              + " characters, and this one would have "
              + name.length()
              + ": "
              + name
              + "; write a Codec of your own for so many components");
    }
    this.name = name;
  }

  private static String named(Codec<?> codec, String which) {
    String name = StoreIdentity.requireName(codec.name(), "the " + which + " codec of a pair");
    return codec.version() == 1 ? name : name + ":" + codec.version();
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
  public byte[] encode(Map.Entry<A, B> pair) {
    byte[] head = encode(first, pair.getKey(), "first");
    byte[] tail = encode(second, pair.getValue(), "second");
    ByteArrayOutputStream out = new ByteArrayOutputStream(head.length + tail.length + 2);
    if (first instanceof FixedWidthCodec) {
      out.writeBytes(head);
    } else {
      for (byte next : head) {
        out.write(next);
        if (next == 0) {
          out.write(ESCAPED);
        }
      }
      out.write(0);
      out.write(0);
    }
    out.writeBytes(tail);
    return out.toByteArray();
  }

  private static <T> byte[] encode(Codec<T> codec, T component, String which) {
    String what = which + " component";
    Objects.requireNonNull(component, what);
    return Encoding.requireResult(codec.encode(component), codec, "encoded the " + what);
  }

  private static <T> T decode(Codec<T> codec, byte[] bytes, String which) {
    return Encoding.requireResult(
        codec.decode(bytes), codec, "decoded the " + which + " component");
  }

  @Override
  public Map.Entry<A, B> decode(byte[] bytes) {
    if (first instanceof FixedWidthCodec<A> fixed) {
      if (bytes.length < fixed.width()) {
        throw malformed("ends within the first component", bytes.length);
      }
      return entry(Arrays.copyOf(bytes, fixed.width()), bytes, fixed.width());
    }
    ByteArrayOutputStream head = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      head.write(bytes[i]);
      if (bytes[i] == 0) {
        int mark = ++i < bytes.length ? bytes[i] & 0xFF : -1;
        if (mark == 0) {
          byte[] ended = head.toByteArray();
          return entry(Arrays.copyOf(ended, ended.length - 1), bytes, i + 1);
        }
        if (mark != ESCAPED) {
          throw malformed("has neither 00 nor FF behind a 00", i);
        }
      }
    }
    throw malformed("has no end of the first component", bytes.length);
  }

  private Map.Entry<A, B> entry(byte[] head, byte[] bytes, int tail) {
    return Map.entry(
        decode(first, head, "first"),
        decode(second, Arrays.copyOfRange(bytes, tail, bytes.length), "second"));
  }

  private static IllegalArgumentException malformed(String what, int offset) {
    return new IllegalArgumentException("the encoding of a pair " + what + " at byte " + offset);
  }

  @Override
  public Comparator<Map.Entry<A, B>> comparator() {
    return Map.Entry.<A, B>comparingByKey(orderOf(first))
        .thenComparing(Map.Entry.comparingByValue(orderOf(second)));
  }

  @SuppressWarnings("unchecked") // no comparator: the codec says that T has a natural order
  private static <T> Comparator<T> orderOf(Codec<T> codec) {
    Comparator<? super T> comparator = codec.comparator();
    return comparator == null
        ? (Comparator<T>) Comparator.<Comparable<Object>>naturalOrder()
        : comparator::compare;
  }
}
