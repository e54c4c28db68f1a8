package org.overlaytrie.conformance.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.overlaytrie.conformance.report.Json;
import org.overlaytrie.conformance.report.StageRecord;

/** The stages' last complete runs, one file each, so that later commands can build on them. */
final class Records {

  private final Path directory;

  Records(Checkout checkout) {
    directory = checkout.output().resolve("records");
  }

  /** Keeps a complete run. */
  void put(StageRecord stageRecord) throws IOException {
    Json.write(file(stageRecord.name()), stageRecord);
  }

  /** The last complete run of a stage, if it saw these sources. */
  Optional<StageRecord> get(String stage, String fingerprint) {
    try {
      StageRecord found = Json.read(file(stage), StageRecord.class);
      return Optional.of(found).filter(kept -> kept.fingerprint().equals(fingerprint));
    } catch (IOException e) {
      // Missing, or written by another version of this program: as good as never run.
      return Optional.empty();
    }
  }

  /** Forgets all. */
  void clear() throws IOException {
    Directories.deleteTree(directory);
  }

  private Path file(String stage) {
    return directory.resolve(stage + ".json");
  }
}
