package org.overlaytrie.conformance.report;

import freemarker.core.HTMLOutputFormat;
import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The report as one HTML page that needs nothing else. Whatever a run found is escaped. */
public final class HtmlReport {

  private HtmlReport() {}

  /**
   * Renders the page.
   *
   * @param specs the directory of the modules, for the grouping of their variables
   */
  public static String of(VerifyReport report, Path specs) {
    Configuration templates = new Configuration(Configuration.VERSION_2_3_34);
    templates.setClassForTemplateLoading(HtmlReport.class, "");
    templates.setDefaultEncoding(StandardCharsets.UTF_8.name());
    templates.setOutputFormat(HTMLOutputFormat.INSTANCE);
    templates.setLocale(Locale.ROOT);
    templates.setNumberFormat(",##0.##");
    templates.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    templates.setLogTemplateExceptions(false);
    StringWriter page = new StringWriter();
    try {
      templates
          .getTemplate("report.ftlh")
          .process(
              Map.of(
                  "report",
                  report,
                  "view",
                  new ReportView(report, specs),
                  "style",
                  resource("report.css"),
                  "script",
                  resource("report.js")),
              page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TemplateException e) {
      throw new IllegalStateException(e);
    }
    return page.toString();
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
