package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecsTest {
  private static final Codec<String> MINE =
      Codecs.of("mine", 3, text -> text.getBytes(StandardCharsets.UTF_8), String::new);

  private static final List<Codec<?>> ALL =
      List.of(
          Codecs.bytes(),
          Codecs.string(),
          Codecs.ints(),
          Codecs.unsignedInts(),
          Codecs.longs(),
          Codecs.unsignedLongs(),
          Codecs.doubles(),
          Codecs.uuids(),
          Codecs.instants(),
          Codecs.intArrays(),
          Codecs.longArrays(),
          Codecs.unit(),
          Codecs.pair(Codecs.longs(), Codecs.pair(MINE, Codecs.bytes())));

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
    assertThat(hex(Codecs.ints().encode(-2))).isEqualTo("7ffffffe");
    assertThat(hex(Codecs.unsignedInts().encode(-2))).isEqualTo("fffffffe");
    assertThat(hex(Codecs.unsignedLongs().encode(1L))).isEqualTo("0000000000000001");
    assertThat(hex(Codecs.doubles().encode(1.0))).isEqualTo("bff0000000000000");
    assertThat(hex(Codecs.doubles().encode(-1.0))).isEqualTo("400fffffffffffff");
    assertThat(hex(Codecs.doubles().encode(Double.NaN))).isEqualTo("fff8000000000000");
    assertThat(hex(Codecs.uuids().encode(UUID.fromString("f81d4fae-7dec-11d0-a765-00a0c91e6bf6"))))
        .isEqualTo("f81d4fae7dec11d0a76500a0c91e6bf6");
    assertThat(hex(Codecs.instants().encode(Instant.ofEpochSecond(-1, 2))))
        .isEqualTo("7fffffffffffffff00000002");
    assertThat(hex(Codecs.intArrays().encode(new int[] {1, -1}))).isEqualTo("800000017fffffff");
    assertThat(hex(Codecs.longArrays().encode(new long[] {1}))).isEqualTo("8000000000000001");
    assertThat(Codecs.unit().encode(true)).isEmpty();
    assertThat(hex(Codecs.pair(Codecs.string(), Codecs.string()).encode(Map.entry("a\0b", "c\0"))))
        .isEqualTo("6100ff6200006300");
    assertThat(hex(Codecs.pair(Codecs.ints(), Codecs.string()).encode(Map.entry(1, "c"))))
        .isEqualTo("8000000163");
  }

  @Test
  void haveTheNamesAndVersionsThatStoresRemember() {
    assertThat(ALL.stream().map(Codec::name))
        .containsExactly(
            "bytes",
            "string",
            "int",
            "unsigned-int",
            "long",
            "unsigned-long",
            "double",
            "uuid",
            "instant",
            "int-array",
            "long-array",
            "unit",
            "pair(long,pair(mine:3,bytes))");
    assertThat(ALL).allMatch(codec -> codec.version() == 1);
    assertThat(MINE.name()).isEqualTo("mine");
    assertThat(MINE.version()).isEqualTo(3);
  }

  @Test
  void rejectPairsWhoseNameWouldBeTooLong() {
    Codec<Map.Entry<String, String>> two = Codecs.pair(Codecs.string(), Codecs.string());
    Codec<?> eight = Codecs.pair(Codecs.pair(two, two), Codecs.pair(two, two));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.pair(eight, eight))
        .withMessageContaining("at most 100 characters");
  }

  @ParameterizedTest
  @CsvSource({
    "61, no end of the first component at byte 1",
    "6100, neither 00 nor FF behind a 00 at byte 2",
    "61000162, neither 00 nor FF behind a 00 at byte 2",
  })
  void rejectsMalformedPairsAndSaysWhere(String bytes, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Codecs.pair(Codecs.string(), Codecs.string())
                    .decode(HexFormat.of().parseHex(bytes)))
        .withMessage("the encoding of a pair has " + problem);
  }

  @Test
  void rejectsAPairThatEndsWithinItsFirstComponent() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.pair(Codecs.ints(), Codecs.ints()).decode(new byte[3]))
        .withMessageContaining("ends within the first component at byte 3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80000000000000003b9aca00",
        "8000000000000000ffffffff",
        "ffffffffffffffff00000000"
      })
  void rejectsInstantsThatThereAreNot(String bytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.instants().decode(HexFormat.of().parseHex(bytes)));
  }

  @Test
  void rejectsSequencesWithPartOfAnElement() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.intArrays().decode(new byte[6]))
        .withMessage("elements of 4 bytes do not fill 6 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.longArrays().decode(new byte[12]))
        .withMessage("elements of 8 bytes do not fill 12 bytes");
  }

  @Test
  void theUnitIsTrue() {
    assertThatIllegalArgumentException().isThrownBy(() -> Codecs.unit().encode(false));
    assertThatIllegalArgumentException().isThrownBy(() -> Codecs.unit().decode(new byte[1]));
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
    byte[] around = HexFormat.of().parseHex("61" + bytes + "61");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.string().decode(around, 1, around.length - 1))
        .withMessageContaining("at offset " + offset + " of " + bytes.length() / 2);
  }

  @Test
  void takesAReplacementCharacterForItself() {
    String text = "a\uFFFDb\uD83D\uDE00";
    assertThat(Codecs.string().decode(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0", "7", "9"})
  void rejectsNumbersOfAnotherLength(int length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Codecs.longs().decode(new byte[length]))
        .withMessageContaining("8 bytes, not in " + length);
  }

  @Test
  void refuseNulls() {
    for (Codec<?> codec : ALL) {
      assertThatNullPointerException().isThrownBy(() -> codec.encode(null));
      assertThatNullPointerException().isThrownBy(() -> codec.decode(null));
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
