/**
 * Controlled schedules: the real parking code, run under every interleaving of a small scenario.
 *
 * <p>{@link org.overlaytrie.schedules.SteppingLoader} loads the classes under test with a call to
 * {@link org.overlaytrie.schedules.Steps} before every access to shared memory, and with sleeping
 * and waking handed to the same class. {@link org.overlaytrie.schedules.Execution} lets one thread
 * move at a time and decides at each step who it is; {@link org.overlaytrie.schedules.Explorer}
 * walks through all decisions. Threads that all sleep are a lost wake-up, and no timeout is needed
 * to see it.
 */
package org.overlaytrie.schedules;
