/** The only door to the file system, so that a simulated disk can replace it. */
package org.overlaytrie.storage;
