package org.overlaytrie.conformance.matrix;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.overlaytrie.conformance.matrix.InvariantList.Entry;

/**
 * {@code docs/INVARIANTS.md}: the matrix as the sources claim it, without anything that a run
 * measured, so that it changes only when the sources do.
 */
final class InvariantsDocument {

  /** The command that writes the file. */
  static final String REGENERATE = "./verify.sh matrix write";

  private static final String TEMPLATE = "INVARIANTS.md.ftl";

  private InvariantsDocument() {}

  /** Where the document is, in a checkout. */
  static Path file(Path root) {
    return root.resolve("docs").resolve("INVARIANTS.md");
  }

  /** Whether the file says what the sources say. */
  static boolean isCurrent(Path root, Links links) throws IOException {
    Path file = file(root);
    return Files.exists(file) && Files.readString(file).equals(text(links));
  }

  /** Replaces the file. */
  static void write(Path root, Links links) throws IOException {
    Files.createDirectories(file(root).getParent());
    Files.writeString(file(root), text(links));
  }

  /** A row of the template. */
  public record Row(String name, String module, String comment, List<Cell> cells) {}

  /** One column of a row; {@code excuse} is empty if there is none. */
  public record Cell(String column, String title, String excuse, List<Link> links) {}

  /** The whole document. */
  static String text(Links links) throws IOException {
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setClassForTemplateLoading(InvariantsDocument.class, "");
    configuration.setDefaultEncoding(StandardCharsets.UTF_8.name());
    configuration.setLocale(Locale.ROOT);
    configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    configuration.setLogTemplateExceptions(false);
    List<Row> rows = links.invariants().stream().map(entry -> row(entry, links)).toList();
    StringWriter text = new StringWriter();
    try {
      configuration
          .getTemplate(TEMPLATE)
          .process(Map.of("rows", rows, "regenerate", REGENERATE), text);
    } catch (TemplateException e) {
      throw new IOException(e);
    }
    return text.toString();
  }

  private static Row row(Entry entry, Links links) {
    List<Cell> cells = new ArrayList<>();
    for (Column column : Column.values()) {
      cells.add(
          new Cell(
              column.key(),
              column.title(),
              entry.excused().getOrDefault(column, ""),
              links.of(entry, column)));
    }
    Links.Definition definition = links.definitions().get(entry.name());
    return new Row(entry.name(), definition.module(), definition.comment(), cells);
  }
}
