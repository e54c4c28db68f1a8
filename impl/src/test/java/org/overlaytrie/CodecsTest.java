package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecsTest {
  private static final long SEED = 20_261_130;
  private static final int SAMPLES = 2_000;
  private static final Comparator<String> BY_CODE_POINTS =
      (one, other) -> Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

  @Test
  void longsKeepTheirOrder() {
    assertKeepsOrder(Codecs.longs(), someLongs(), Comparator.naturalOrder());
  }

  @Test
  void stringsKeepTheOrderOfTheirCodePoints() {
    assertKeepsOrder(Codecs.string(), someStrings(), BY_CODE_POINTS);
  }

  @Test
  void byteArraysKeepTheirUnsignedOrder() {
    assertKeepsOrder(Codecs.bytes(), someByteArrays(), Arrays::compareUnsigned);
  }

  @Test
  void encodesInTheStatedForm() {
    assertThat(hex(Codecs.longs().encode(0L))).isEqualTo("8000000000000000");
    assertThat(hex(Codecs.longs().encode(-1L))).isEqualTo("7fffffffffffffff");
    assertThat(hex(Codecs.longs().encode(Long.MIN_VALUE))).isEqualTo("0000000000000000");
    assertThat(hex(Codecs.longs().encode(0x0102030405060708L))).isEqualTo("8102030405060708");
    assertThat(hex(Codecs.string().encode("a\u0000\u00E9\u20AC\uD83D\uDE00")))
        .isEqualTo("6100c3a9e282acf09f9880");
    assertThat(Codecs.string().encode("")).isEmpty();
    assertThat(Codecs.bytes().encode(new byte[] {1, -1})).containsExactly(1, -1);
  }

  @Test
  void haveTheNamesAndVersionsThatStoresRemember() {
    assertThat(Codecs.bytes().name()).isEqualTo("bytes");
    assertThat(Codecs.string().name()).isEqualTo("string");
    assertThat(Codecs.longs().name()).isEqualTo("long");
    for (Codec<?> codec : List.of(Codecs.bytes(), Codecs.string(), Codecs.longs())) {
      assertThat(codec.version()).isEqualTo(1);
    }
  }

  @Test
  void copiesByteArraysInAndOut() {
    byte[] array = {1, 2, 3};
    byte[] encoded = Codecs.bytes().encode(array);
    byte[] decoded = Codecs.bytes().decode(encoded);
    array[0] = 9;
    decoded[0] = 8;
    assertThat(encoded).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @CsvSource({
    // index of the lone surrogate, the UTF-16 units in hexadecimal
    "0, d800", // high, at the end
    "0, dc00", // low, first
    "2, 00610062dfff0063", // low, after a plain character
    "1, 0061dbff0063", // high, before a plain character
    "0, d83dd83dde00", // high, before a pair
    "2, d83dde00de00", // low, after a pair
  })
  void rejectsLoneSurrogatesAndSaysWhere(int index, String units) {
    String string = ByteBuffer.wrap(HexFormat.of().parseHex(units)).asCharBuffer().toString();
    String expected = String.format("U+%04X at index %d of", (int) string.charAt(index), index);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.string().encode(string))
        .withMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 80", // continuation without a start
    "1, 61ff", // no such byte
    "1, 61c3", // cut off
    "2, 6162e282", // cut off
    "0, c080", // overlong
    "0, eda080", // an encoded surrogate
    "0, f4908080", // beyond U+10FFFF
    "3, efbfbd80", // after a legal replacement character
  })
  void rejectsMalformedUtf8AndSaysWhere(int offset, String bytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.string().decode(HexFormat.of().parseHex(bytes)))
        .withMessageContaining("at offset " + offset + " of " + bytes.length() / 2);
  }

  @Test
  void takesAReplacementCharacterForItself() {
    String text = "a\uFFFDb\uD83D\uDE00";
    assertThat(Codecs.string().decode(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0", "7", "9"})
  void rejectsLongsOfAnotherLength(int length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.longs().decode(new byte[length]))
        .withMessageContaining("8 bytes, not in " + length);
  }

  @Test
  void refuseNulls() {
    for (Codec<?> codec : List.of(Codecs.bytes(), Codecs.string(), Codecs.longs())) {
      assertThatNullPointerException().isThrownBy(() -> codec.encode(null));
      assertThatNullPointerException().isThrownBy(() -> codec.decode(null));
    }
  }

  /** Round trip of each sample, and the same order before and after encoding for each pair. */
  private static <T> void assertKeepsOrder(Codec<T> codec, List<T> samples, Comparator<T> order) {
    List<byte[]> encoded = samples.stream().map(codec::encode).toList();
    for (int i = 0; i < samples.size(); i++) {
      assertThat(codec.decode(encoded.get(i))).as("seed %d", SEED).isEqualTo(samples.get(i));
      for (int j = 0; j < samples.size(); j += 7) {
        int expected = Integer.signum(order.compare(samples.get(i), samples.get(j)));
        int actual = Integer.signum(Arrays.compareUnsigned(encoded.get(i), encoded.get(j)));
        if (actual != expected) {
          throw new AssertionError(
              String.format(
                  "seed %d: %s and %s compare as %d and their encodings as %d",
                  SEED, samples.get(i), samples.get(j), expected, actual));
        }
      }
    }
  }

  private static List<Long> someLongs() {
    Random random = new Random(SEED);
    List<Long> samples = new ArrayList<>(List.of(0L, Long.MIN_VALUE, Long.MAX_VALUE));
    for (int bit = 0; bit < Long.SIZE; bit++) {
      for (long near = -1; near <= 1; near++) {
        samples.add((1L << bit) + near);
        samples.add(-(1L << bit) + near);
      }
    }
    while (samples.size() < SAMPLES) {
      samples.add(random.nextLong() >> random.nextInt(Long.SIZE));
    }
    return samples;
  }

  private static List<String> someStrings() {
    Random random = new Random(SEED);
    int[] corners = {
      0, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF
    };
    List<String> samples = new ArrayList<>(List.of(""));
    while (samples.size() < SAMPLES) {
      StringBuilder sample = new StringBuilder();
      for (int length = random.nextInt(5); length > 0; length--) {
        int any = random.nextInt(Character.MIN_SURROGATE);
        sample.appendCodePoint(
            random.nextInt(4) == 0 ? any : corners[random.nextInt(corners.length)]);
      }
      samples.add(sample.toString());
    }
    return samples;
  }

  private static List<byte[]> someByteArrays() {
    Random random = new Random(SEED);
    byte[] corners = {0, 1, 0x7F, (byte) 0x80, (byte) 0xFF};
    List<byte[]> samples = new ArrayList<>();
    while (samples.size() < SAMPLES) {
      byte[] sample = new byte[random.nextInt(5)];
      for (int i = 0; i < sample.length; i++) {
        sample[i] = corners[random.nextInt(corners.length)];
      }
      samples.add(sample);
    }
    return samples;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
