package org.overlaytrie.conformance.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Follows a text file that another process writes. For one thread. */
public final class LineTail {

  private final Path file;
  private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
  private long offset;

  /** Follows the file from its beginning; it need not exist yet. */
  public LineTail(Path file) {
    this.file = file;
  }

  /** The lines that were finished since the call before, without their ends. */
  public List<String> next() throws IOException {
    List<String> lines = new ArrayList<>();
    if (!Files.exists(file)) {
      return lines;
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek(offset);
      byte[] buffer = new byte[1 << 16];
      for (int count; (count = in.read(buffer)) > 0; offset += count) {
        for (int i = 0; i < count; i++) {
          if (buffer[i] == '\n') {
            lines.add(take());
          } else {
            unfinished.write(buffer[i]);
          }
        }
      }
    }
    return lines;
  }

  /** The lines left once the writer has ended, the last one even if its end is missing. */
  public List<String> rest() throws IOException {
    List<String> lines = next();
    if (unfinished.size() > 0) {
      lines.add(take());
    }
    return lines;
  }

  private String take() {
    String line = unfinished.toString(StandardCharsets.UTF_8);
    unfinished.reset();
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }
}
