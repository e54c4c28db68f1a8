/**
 * Runs JUnit tests in a JVM of their own, on any class path, and returns what became of each: for
 * the stages that are made of tests, and for mutants, whose patched classes stand first on the
 * path.
 */
package org.overlaytrie.conformance.testjvm;
