package org.overlaytrie.conformance.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {

  @TempDir Path specs;

  @Test
  void showsEverySectionOfAFullReport() throws Exception {
    String page = HtmlReport.of(SampleReport.make(), specs);

    for (String section :
        List.of(
            "failures",
            "stages",
            "matrix",
            "models",
            "counterexamples",
            "traces",
            "crashes",
            "mutants",
            "schedules",
            "memory",
            "tests")) {
      assertThat(page).contains("<section id=\"" + section + "\"").contains("href=\"#" + section);
    }
    assertThat(page)
        .contains("1 failure")
        .contains("not run: crash")
        .contains("1,234,567")
        .contains("SequencedCommit!");
    // To look at: the page with something in every section.
    Path kept = Files.createDirectories(Path.of("target")).resolve("sample-report.html");
    Files.writeString(kept, page);
  }

  @Test
  void escapesWhateverARunFound() {
    String page = HtmlReport.of(SampleReport.make(), specs);

    assertThat(page).doesNotContain("<img");
    assertThat(page.split("</script>", -1)).hasSize(3);
    assertThat(page).contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    assertThat(page).doesNotContain("alert(1)>").doesNotContain("alert(1)&gt;\"");
  }

  @Test
  void foldsTheChangedTracesThatWereRejectedAndShowsThoseAccepted() {
    String page = HtmlReport.of(SampleReport.make(), specs);
    String traces = page.substring(page.indexOf("Changed on purpose: 1,026 of 1,027 rejected"));
    String shown = traces.substring(0, traces.indexOf("<details"));
    String folded = traces.substring(shown.length(), traces.indexOf("</details>"));

    assertThat(shown).contains("change &lt;/script&gt;").doesNotContain("drop MakeVisible");
    assertThat(folded)
        .contains("2 kinds of change, always rejected", "drop MakeVisible", "repeat CommitVersion")
        .doesNotContain("<details class=\"card\" open")
        .doesNotContain("change &lt;/script&gt;");
  }

  @Test
  void needsNothingFromTheNetwork() {
    String page = HtmlReport.of(SampleReport.make(), specs);

    assertThat(page.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http:")
        .doesNotContain("https:")
        .doesNotContain("<link")
        .doesNotContain("@import")
        .doesNotContain("src=\"");
  }

  @Test
  void showsOnlyWhatRan() {
    StageRecord stage =
        new StageRecord("tests", "they pass", "f", List.of("a.B"), 1, 2, List.of(), Findings.NONE);
    VerifyReport report =
        VerifyReport.of(
            new VerifyReport.Command(3, 1, "2026-11-30T12:00:00Z", "abc", VerifyReport.Host.here()),
            List.of("tests", "tlc"),
            List.of(stage));

    String page = HtmlReport.of(report, specs);

    assertThat(page)
        .contains("All evidence that ran is green: 2 of 3 stages", "not run: tlc", "only a.B");
    assertThat(page)
        .doesNotContain("<section id=\"matrix\"")
        .doesNotContain("<section id=\"failures\"")
        .doesNotContain("<section id=\"crashes\"");
  }
}
