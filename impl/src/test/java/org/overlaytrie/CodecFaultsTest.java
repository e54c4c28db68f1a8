package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a codec or a directory is said, before anything is written. */
class CodecFaultsTest {

  @TempDir Path temporary;

  /** A codec that does not come from {@link Codecs}, with a name of any kind. */
  private record Named(String name) implements Codec<String> {
    @Override
    public int version() {
      return 1;
    }

    @Override
    public byte[] encode(String text) {
      return text.equals("null") ? null : Codecs.string().encode(text);
    }

    @Override
    public String decode(byte[] bytes) {
      return bytes.length == 0 ? null : Codecs.string().decode(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 101, 401})
  void aNameOfAnotherLengthThan1To100IsRefused(int length) {
    String name = "n".repeat(length);
    assertRefused(name, "has " + length + " characters; 1 to 100 are allowed");
  }

  @Test
  void aNameWithoutEncodingIsRefused() {
    assertRefused("half \ud83d", "has a surrogate that is not part of a pair");
  }

  private void assertRefused(String name, String problem) {
    Path directory = temporary.resolve("store");
    Codec<String> codec = new Named(name);
    assertThatThrownBy(() -> OverlayTrie.open(directory, codec, Codecs.ints()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the name of the key codec " + problem);
    assertThatThrownBy(() -> OverlayTrie.open(directory, Codecs.ints(), codec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the name of the value codec " + problem);
    assertThat(directory).doesNotExist();
    assertThatThrownBy(() -> Codecs.pair(codec, Codecs.ints()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the name of the first codec of a pair " + problem);
    assertThatThrownBy(() -> Codecs.pair(Codecs.ints(), codec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the name of the second codec of a pair " + problem);
    assertThatThrownBy(() -> Codecs.of(name, 1, codec::encode, codec::decode))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the name of this codec " + problem);
  }

  @Test
  void everyOtherNameIsTaken() {
    for (String name : new String[] {"n", "n".repeat(100), "\ud83d\ude00".repeat(50)}) {
      Path directory = temporary.resolve(Integer.toString(name.hashCode()));
      OverlayTrie.open(directory, new Named(name), new Named(name)).close();
      OverlayTrie.open(directory, new Named(name), new Named(name)).close();
    }
  }

  @Test
  void whatIsNullIsNamed() {
    assertNull(() -> Codecs.pair(null, Codecs.ints()), "first");
    assertNull(() -> Codecs.pair(Codecs.ints(), null), "second");
    assertNull(
        () -> OverlayTrie.open(temporary, new Named(null), Codecs.ints()),
        "the name of the key codec");
    Codec<Map.Entry<Integer, Integer>> pair = Codecs.pair(Codecs.ints(), Codecs.ints());
    assertNull(() -> pair.encode(new SimpleEntry<>(null, 1)), "first component");
    assertNull(() -> pair.encode(new SimpleEntry<>(1, null)), "second component");
  }

  @Test
  void aCodecThatMakesNullIsNamed() {
    Codec<String> faulty = new Named("faulty");
    try (var store = OverlayTrie.open(temporary, faulty, faulty)) {
      assertNull(() -> store.put("null", "v"), "the codec faulty encoded a key as null");
      assertNull(() -> store.put("k", "null"), "the codec faulty encoded a value as null");
      store.put("k", "");
      assertNull(() -> store.get("k"), "the codec faulty decoded a value as null");
      store.put("", "v");
      assertNull(store::firstKey, "the codec faulty decoded a key as null");
    }
    Codec<Map.Entry<String, String>> pair = Codecs.pair(faulty, faulty);
    assertNull(
        () -> pair.encode(Map.entry("null", "v")),
        "the codec faulty encoded the first component as null");
    assertNull(
        () -> pair.decode(new byte[] {0, 0, 'v'}),
        "the codec faulty decoded the first component as null");
  }

  /** Every method that answers with what the key held. */
  @Test
  void aValueThatCannotBeDecodedForTheAnswerStaysAsItIs() {
    Codec<String> faulty = new Named("faulty"); // decodes "" as null
    try (var store = OverlayTrie.open(temporary, Codecs.string(), faulty)) {
      store.put("k", "");
      List<Runnable> writes =
          List.of(
              () -> store.put("k", "v"),
              () -> store.putIfAbsent("k", "v"),
              () -> store.replace("k", "v"),
              () -> store.remove("k"),
              () -> store.compute("k", (key, old) -> "v"),
              () -> store.merge("k", "v", (old, added) -> added),
              store::pollFirstEntry,
              () -> store.tailMap("k").put("k", "v"),
              () -> store.keySet().remove("k"));
      for (Runnable write : writes) {
        assertNull(write, "the codec faulty decoded a value as null");
        assertThat(store.replace("k", "", "")).as("still there").isTrue();
      }
      store.put("other", "v");
      assertThat(store.remove("k", "")).as("a way to be rid of it").isTrue();
    }
  }

  private static void assertNull(Runnable work, String message) {
    assertThatThrownBy(work::run).isInstanceOf(NullPointerException.class).hasMessage(message);
  }

  @Test
  void aLongKeyIsNotWhollyInTheMessage() {
    String key = "k".repeat(60_000);
    try (var strings = OverlayTrie.open(temporary, Codecs.string(), Codecs.ints())) {
      var view = strings.headMap("k");
      assertThatThrownBy(() -> view.put(key, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("k".repeat(100) + "... is outside");
    }
    try (var bytes = OverlayTrie.open(temporary.resolve("b"), Codecs.bytes(), Codecs.ints())) {
      var view = bytes.headMap(new byte[0]);
      assertThatThrownBy(() -> view.put(new byte[60_000], 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0x" + "0".repeat(98) + "... is outside");
    }
  }

  @Test
  void aDirectoryThatCannotBeOneIsToldWhy() throws IOException {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("missing"));
    for (Path directory : new Path[] {link, link.resolve("below")}) {
      assertThatThrownBy(() -> OverlayTrie.open(directory, Codecs.ints(), Codecs.ints()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageEndingWith(link + ": is a symbolic link to a file that does not exist");
    }
    URI uri = URI.create("jar:" + temporary.resolve("archive.zip").toUri());
    try (FileSystem zip = FileSystems.newFileSystem(uri, Map.of("create", "true"))) {
      Path inZip = zip.getPath("store");
      assertThatThrownBy(() -> OverlayTrie.open(inZip, Codecs.ints(), Codecs.ints()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("default file system");
    }
  }
}
