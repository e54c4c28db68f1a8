/**
 * Linearizability: every answer that concurrent operations give must be one that they could give
 * one after the other. Lincheck makes the scenarios, runs them under chosen interleavings (model
 * checking) and on free threads (stress), and looks for an order that explains the answers.
 */
package org.overlaytrie.linearizability;
