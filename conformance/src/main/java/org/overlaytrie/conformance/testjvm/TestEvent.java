package org.overlaytrie.conformance.testjvm;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.overlaytrie.conformance.report.TestResult;

/**
 * One line from the child JVM.
 *
 * @param kind what happened
 * @param id the test's unique identifier within the run; null at the end
 * @param test the test as it starts (status and message without meaning) or its result
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TestEvent(Kind kind, String id, TestResult test) {

  enum Kind {
    STARTED,
    ENDED,
    DONE
  }
}
