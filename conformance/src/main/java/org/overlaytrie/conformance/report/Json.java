package org.overlaytrie.conformance.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Records as JSON, with enum constants in lower case. Safe for use by several threads. */
public final class Json {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .build();

  private Json() {}

  /** The value on one line. */
  public static String line(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The value over several lines, for people. */
  public static String pretty(Object value) {
    try {
      return MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces the file as a whole, so that no reader ever sees half of it. */
  public static void write(Path file, Object value) throws IOException {
    Files.createDirectories(file.getParent());
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, pretty(value));
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads one value.
   *
   * @throws IOException if the text is not JSON or does not fit the type
   */
  public static <T> T read(String text, Class<T> type) throws IOException {
    return MAPPER.readValue(text, type);
  }

  /**
   * Reads a file that holds one value.
   *
   * @throws IOException naming the file, if it is not JSON or does not fit the type
   */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    try {
      return MAPPER.readValue(Files.readString(file), type);
    } catch (JsonProcessingException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}
