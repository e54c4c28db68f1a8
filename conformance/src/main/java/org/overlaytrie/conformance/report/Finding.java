package org.overlaytrie.conformance.report;

/** One row of a section of the report. */
public sealed interface Finding
    permits ModelResult,
        MatrixRow,
        TraceResult,
        CorruptedTraces,
        CrashResult,
        MutantResult,
        LincheckResult,
        JcstressResult,
        TestResult {}
