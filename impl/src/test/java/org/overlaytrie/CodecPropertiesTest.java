package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * What every codec promises, for any two objects: each comes back from its encoding, and the
 * encodings are ordered as the objects are, by the codec's comparator and by the order that its
 * description names.
 */
class CodecPropertiesTest {
  private static final Comparator<String> BY_CODE_POINTS =
      (one, other) -> Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

  /** A codec, two objects, and the order between them that is promised. */
  record Sample<T>(Codec<T> codec, T one, T other, Comparator<? super T> promised) {

    int compareEncodings() {
      return Arrays.compareUnsigned(codec.encode(one), codec.encode(other));
    }

    int compareByCodec() {
      Comparator<? super T> comparator = codec.comparator();
      return comparator == null ? natural() : comparator.compare(one, other);
    }

    @SuppressWarnings("unchecked") // a codec without comparator is one for comparable objects
    private int natural() {
      return ((Comparable<T>) one).compareTo(other);
    }
  }

  @Property(tries = 20_000)
  void encodingsAreOrderedAsTheObjects(@ForAll("samples") Sample<?> sample) {
    assertThat(Integer.signum(sample.compareEncodings())).isEqualTo(promised(sample));
  }

  @Property(tries = 20_000)
  void theComparatorTellsTheOrder(@ForAll("samples") Sample<?> sample) {
    assertThat(Integer.signum(sample.compareByCodec())).isEqualTo(promised(sample));
  }

  @Property(tries = 20_000)
  void everyObjectComesBack(@ForAll("samples") Sample<?> sample) {
    assertComesBack(sample);
  }

  private static <T> int promised(Sample<T> sample) {
    return Integer.signum(sample.promised().compare(sample.one(), sample.other()));
  }

  private static <T> void assertComesBack(Sample<T> sample) {
    byte[] encoded = sample.codec().encode(sample.one());
    assertThat(Objects.deepEquals(sample.codec().decode(encoded), sample.one())).isTrue();
    byte[] around = new byte[encoded.length + 5];
    Arrays.fill(around, (byte) 0xFF);
    System.arraycopy(encoded, 0, around, 2, encoded.length);
    T fromPart = sample.codec().decode(around, 2, 2 + encoded.length);
    assertThat(Objects.deepEquals(fromPart, sample.one())).as("from a part").isTrue();
  }

  @Provide
  Arbitrary<Sample<?>> samples() {
    return Arbitraries.oneOf(
        List.of(
            of(Codecs.bytes(), bytes(), Arrays::compareUnsigned),
            of(Codecs.string(), strings(), BY_CODE_POINTS),
            of(Codecs.ints(), Arbitraries.integers(), Comparator.naturalOrder()),
            of(Codecs.unsignedInts(), Arbitraries.integers(), Integer::compareUnsigned),
            of(Codecs.longs(), Arbitraries.longs(), Comparator.naturalOrder()),
            of(Codecs.unsignedLongs(), Arbitraries.longs(), Long::compareUnsigned),
            of(Codecs.doubles(), doubles(), Comparator.naturalOrder()),
            of(Codecs.uuids(), uuids(), Comparator.comparing(UUID::toString)),
            of(Codecs.instants(), instants(), Comparator.naturalOrder()),
            of(Codecs.intArrays(), ints(), Arrays::compare),
            of(Codecs.longArrays(), longs(), Arrays::compare),
            of(Codecs.unit(), Arbitraries.just(true), Comparator.naturalOrder()),
            of(
                Codecs.pair(Codecs.string(), Codecs.longs()),
                pairs(strings(), Arbitraries.longs()),
                inTurn(BY_CODE_POINTS, Comparator.<Long>naturalOrder())),
            of(
                Codecs.pair(Codecs.longs(), Codecs.string()),
                pairs(Arbitraries.longs(), strings()),
                inTurn(Comparator.<Long>naturalOrder(), BY_CODE_POINTS)),
            of(
                Codecs.pair(Codecs.pair(Codecs.string(), Codecs.string()), Codecs.string()),
                pairs(pairs(strings(), strings()), strings()),
                inTurn(inTurn(BY_CODE_POINTS, BY_CODE_POINTS), BY_CODE_POINTS))));
  }

  /** The objects come from few parts, so that two of them often have much in common. */
  private static <T> Arbitrary<Sample<?>> of(
      Codec<T> codec, Arbitrary<T> objects, Comparator<? super T> promised) {
    return Combinators.combine(objects, objects)
        .as((one, other) -> new Sample<>(codec, one, other, promised));
  }

  private static <A, B> Comparator<Map.Entry<A, B>> inTurn(
      Comparator<? super A> first, Comparator<? super B> second) {
    return Map.Entry.<A, B>comparingByKey(first).thenComparing(Map.Entry.comparingByValue(second));
  }

  private static <A, B> Arbitrary<Map.Entry<A, B>> pairs(Arbitrary<A> first, Arbitrary<B> second) {
    return Combinators.combine(first, second).as(Map::entry);
  }

  /** Few different bytes, so that many arrays begin with one another. */
  private static Arbitrary<byte[]> bytes() {
    return Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7F, (byte) 0x80, (byte) 0xFF)
        .array(byte[].class)
        .ofMaxSize(5);
  }

  private static Arbitrary<String> strings() {
    Arbitrary<Integer> corners =
        Arbitraries.of(
            0, 1, 0x61, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000,
            0x10FFFF);
    Arbitrary<Integer> any = Arbitraries.integers().between(0, Character.MIN_SURROGATE - 1);
    return Arbitraries.oneOf(corners, corners, any)
        .list()
        .ofMaxSize(5)
        .map(
            points ->
                points.stream()
                    .collect(
                        StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString());
  }

  private static Arbitrary<Double> doubles() {
    return Arbitraries.longs()
        .map(Double::longBitsToDouble)
        .edgeCases(
            edges ->
                edges.add(
                    0.0,
                    -0.0,
                    Double.MIN_VALUE,
                    -Double.MIN_VALUE,
                    Double.MAX_VALUE,
                    -Double.MAX_VALUE,
                    Double.POSITIVE_INFINITY,
                    Double.NEGATIVE_INFINITY,
                    Double.NaN));
  }

  private static Arbitrary<UUID> uuids() {
    return Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(UUID::new);
  }

  private static Arbitrary<Instant> instants() {
    Arbitrary<Long> seconds =
        Arbitraries.longs().between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond());
    return Combinators.combine(seconds, Arbitraries.integers().between(0, 999_999_999))
        .as(Instant::ofEpochSecond);
  }

  private static Arbitrary<int[]> ints() {
    return Arbitraries.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE)
        .array(int[].class)
        .ofMaxSize(4);
  }

  private static Arbitrary<long[]> longs() {
    return Arbitraries.of(Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE)
        .array(long[].class)
        .ofMaxSize(4);
  }
}
