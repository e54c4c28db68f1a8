package org.overlaytrie.conformance.testjvm;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.overlaytrie.conformance.report.TestResult;

/**
 * One line from the child JVM.
 *
 * @param kind what happened
 * @param id the test's unique identifier within the run, or the name that selects no test; null at
 *     the end
 * @param test the test as it starts (status and message without meaning) or its result
 * @param known for a name that selects no test: names that would
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TestEvent(Kind kind, String id, TestResult test, List<String> known) {

  enum Kind {
    STARTED,
    ENDED,
    SELECTS_NOTHING,
    DONE
  }
}
