package org.overlaytrie.conformance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NamesTest {

  private static final List<String> KNOWN =
      List.of("MCMap", "MCMapBugOrder", "org.overlaytrie.MapTest", "Map!OrderInv");

  @Test
  void suggestsWhatContainsTheNameOrIsSpeltAlmostAlike() {
    assertThat(message("mapbug")).isEqualTo("No mapbug. Did you mean MCMapBugOrder?");
    assertThat(message("MCMapBugOrderX")).contains("mean MCMapBugOrder?");
    assertThat(message("MCMapBgOrdre")).contains("mean MCMapBugOrder?");
    assertThat(message("MapTest")).contains("mean org.overlaytrie.MapTest?");
    assertThat(message("MpTest")).contains("mean org.overlaytrie.MapTest?");
    assertThat(message("OrdrInv")).contains("mean Map!OrderInv?");
  }

  @Test
  void listsWhatThereIsIfNothingIsClose() {
    assertThat(message("Tree"))
        .isEqualTo(
            "No Tree. There are MCMap, MCMapBugOrder, Map!OrderInv, org.overlaytrie.MapTest.");
    assertThat(message("")).contains("There are MCMap,");
    List<String> many = IntStream.range(0, 99).mapToObj(i -> "known" + i).toList();
    assertThat(Names.unknown("No Tree", "Tree", many))
        .message()
        .hasSizeLessThan(120)
        .endsWith("….");
  }

  @Test
  void promisesNothingIfNothingIsKnown() {
    assertThat(Names.unknown("No Tree", "Tree", Collections.emptyList())).hasMessage("No Tree.");
  }

  private static String message(String name) {
    return Names.unknown("No " + name, name, KNOWN).getMessage();
  }
}
