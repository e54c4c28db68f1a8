package org.overlaytrie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.overlaytrie.trie.Keys;

/** What a map can do because it is a trie: prefixes, and a cursor over the bytes of keys. */
class PrefixTest {
  private static final int SEEDS = 10;

  @ParameterizedTest
  @EnumSource
  void findsWhatBeginsWithAKeyAndWhatAKeyBeginsWith(Keys keys) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      try (OverlayTrie<String, String> store = MemoryStores.open(new Latin1(), new Latin1())) {
        NavigableMap<String, String> model = new TreeMap<>();
        for (int i = 0; i < 120; i++) {
          String key = string(keys.next(random));
          store.put(key, "v" + i);
          model.put(key, "v" + i);
        }
        for (String prefix : prefixes(model, keys, random)) {
          NavigableMap<String, String> beginning = new TreeMap<>(model);
          beginning.keySet().removeIf(key -> !key.startsWith(prefix));
          MapAgreement.assertSameContent("prefix", store.prefixMap(prefix), beginning);
          Entry<String, String> longest = null;
          for (Entry<String, String> entry : model.entrySet()) {
            longest = prefix.startsWith(entry.getKey()) ? entry : longest;
          }
          assertThat(store.longestPrefixEntry(prefix))
              .as("%s, seed %d", keys, seed)
              .isEqualTo(longest);
        }
      }
    }
  }

  private static List<String> prefixes(
      NavigableMap<String, String> model, Keys keys, Random random) {
    List<String> prefixes = new ArrayList<>(List.of("", "\u00FF", "\u00FF\u00FF", "\0"));
    for (int i = 0; i < 20; i++) {
      prefixes.add(string(keys.next(random)));
      String key = model.floorKey(string(keys.next(random)));
      if (key != null) {
        prefixes.add(key + (char) random.nextInt(256));
        prefixes.add(key.substring(0, key.length() / 2));
      }
    }
    return prefixes;
  }

  private static String string(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void aPrefixMapIsAViewLikeASubMap() {
    try (OverlayTrie<String, Integer> store = MemoryStores.open(Codecs.string(), Codecs.ints())) {
      store.putAll(Map.of("bee", 1, "be", 2, "bed", 3, "bat", 4, "bf", 5));
      NavigableMap<String, Integer> view = store.prefixMap("be");
      store.put("beer", 6);
      view.remove("bed");
      assertThat(view).hasToString("{be=2, bee=1, beer=6}");
      assertThat(view.descendingMap().headMap("be", false)).hasToString("{beer=6, bee=1}");
      assertThat(view.tailMap("bee", false)).hasToString("{beer=6}");
      assertThat(view.containsKey("bat")).isFalse();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> view.put("bf", 7))
          .withMessageContaining(
              "from be inclusive to the end of the keys that begin with be exclusive");
      assertThatIllegalArgumentException().isThrownBy(() -> view.headMap("ba"));
      view.clear();
      assertThat(store).hasToString("{bat=4, bf=5}");
      assertThatNullPointerException().isThrownBy(() -> store.prefixMap(null));
      assertThatNullPointerException().isThrownBy(() -> store.longestPrefixEntry(null));
    }
  }

  @Test
  void aPrefixOfAPairIsItsFirstComponentAndWhatTheSecondBeginsWith() {
    try (OverlayTrie<Entry<String, String>, Boolean> store =
        MemoryStores.open(Codecs.pair(Codecs.string(), Codecs.string()), Codecs.unit())) {
      for (String pair : List.of("a/", "a/x", "a/xy", "a/y", "ab/x", "a\0/x")) {
        store.put(pair(pair), true);
      }
      assertThat(store.prefixMap(pair("a/")).keySet())
          .containsExactly(pair("a/"), pair("a/x"), pair("a/xy"), pair("a/y"));
      assertThat(store.prefixMap(pair("a/x")).keySet()).containsExactly(pair("a/x"), pair("a/xy"));
      assertThat(store.prefixMap(pair("/"))).isEmpty();
      assertThat(store.longestPrefixEntry(pair("a/xyz")).getKey()).isEqualTo(pair("a/xy"));
      assertThat(store.longestPrefixEntry(pair("b/xyz"))).isNull();
    }
  }

  private static Entry<String, String> pair(String text) {
    int slash = text.indexOf('/');
    return Map.entry(text.substring(0, slash), text.substring(slash + 1));
  }

  @Test
  void aPrefixOfASequenceIsItsFirstElements() {
    try (OverlayTrie<int[], Integer> store = MemoryStores.open(Codecs.intArrays(), Codecs.ints())) {
      store.put(new int[] {7}, 1);
      store.put(new int[] {7, -1}, 2);
      store.put(new int[] {7, 1 << 8, 5}, 3);
      store.put(new int[] {8}, 4);
      assertThat(store.prefixMap(new int[] {7}).values()).containsExactly(1, 2, 3);
      assertThat(store.prefixMap(new int[] {7, 256}).values()).containsExactly(3);
      assertThat(store.prefixMap(new int[] {})).hasSize(4);
      assertThat(store.longestPrefixEntry(new int[] {7, -1, 0}).getValue()).isEqualTo(2);
    }
  }

  @Test
  void theCursorGoesDownByOneByteAndUpAgain() {
    try (OverlayTrie<String, Integer> store = MemoryStores.open(Codecs.string(), Codecs.ints())) {
      store.putAll(Map.of("bee", 1, "be", 2, "bat", 4));
      EdgeCursor<String, Integer> cursor = store.edgeCursor();
      store.clear();
      assertThat(cursor.count()).isEqualTo(3);
      assertThat(cursor.entries().map(Entry::getKey)).containsExactly("bat", "be", "bee");
      assertThat(cursor.isEntry()).isFalse();
      assertThat(cursor.nextByte(-7)).isEqualTo('b');
      assertThat(cursor.nextByte('b' + 1)).isEqualTo(-1);
      assertThat(cursor.nextByte(300)).isEqualTo(-1);
      assertThat(cursor.descend('b')).isTrue();
      assertThat(cursor.descend('c')).isFalse();
      assertThat(cursor.nextByte(0)).isEqualTo('a');
      assertThat(cursor.nextByte('a' + 1)).isEqualTo('e');
      assertThat(cursor.descend('e')).isTrue();
      assertThat(cursor.isEntry()).isTrue();
      assertThat(cursor.key()).isEqualTo("be");
      assertThat(cursor.value()).isEqualTo(2);
      assertThat(cursor.count()).isEqualTo(2);
      assertThat(cursor.entries()).containsExactly(Map.entry("be", 2), Map.entry("bee", 1));
      assertThat(cursor.depth()).isEqualTo(2);
      assertThat(cursor.way()).containsExactly('b', 'e');
      assertThat(cursor.up()).isTrue();
      assertThat(cursor.value()).isNull();
      assertThatThrownBy(cursor::key).isInstanceOf(NoSuchElementException.class);
      assertThat(cursor.up()).isTrue();
      assertThat(cursor.up()).isFalse();
      for (int none : new int[] {-1, 256}) {
        assertThatIllegalArgumentException().isThrownBy(() -> cursor.descend(none));
      }
    }
  }
}
