package org.overlaytrie.conformance.tlc;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** The small specifications that the tests of this package check. */
final class Fixture {

  private Fixture() {}

  static Path specs() {
    try {
      return Path.of(Fixture.class.getResource("specs/manifest.json").toURI()).getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
