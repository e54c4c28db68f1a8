/** The write-ahead log: frames, segments, writing, replay. */
package org.overlaytrie.wal;
