/**
 * What a run found, as records that are the sections of {@code report.json}, and the HTML page made
 * from them.
 */
package org.overlaytrie.conformance.report;
