/** The scenarios, loaded once for each twin with their steps made visible. */
package org.overlaytrie.schedules.scenario;
