/**
 * The command line behind {@code verify.sh}: the stages, what they are given and what they give
 * back, the order in which they run, and what is shown while they do.
 */
package org.overlaytrie.conformance.cli;
