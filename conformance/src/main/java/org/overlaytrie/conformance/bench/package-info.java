/** Small comparisons that anybody can run; a benchmark module comes later. */
package org.overlaytrie.conformance.bench;
