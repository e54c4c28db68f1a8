package org.overlaytrie.conformance.report;

/** The report as one self-contained HTML page. */
public final class HtmlReport {

  private HtmlReport() {}

  /** Renders the page. */
  public static String of(VerifyReport report) {
    return "<!doctype html><pre>" + report.status();
  }
}
