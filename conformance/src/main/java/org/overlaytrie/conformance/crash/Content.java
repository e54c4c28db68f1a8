package org.overlaytrie.conformance.crash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The bytes of a file, in pages that are never changed once they are in place, so that copies share
 * them. A missing page is all zeros.
 */
final class Content {
  static final int PAGE = 4096;

  private byte[][] pages;

  /** Written after the pages, for readers of what has long been there while the file grows. */
  private volatile long size;

  Content() {
    this(new byte[0][], 0);
  }

  private Content(byte[][] pages, long size) {
    this.pages = pages;
    this.size = size;
  }

  Content copy() {
    return new Content(pages.clone(), size);
  }

  long size() {
    return size;
  }

  /** Grows to {@code newSize} with zeros; never shrinks. */
  void extend(long newSize) {
    if (newSize > size) {
      int needed = Math.toIntExact((newSize + PAGE - 1) / PAGE);
      if (needed > pages.length) {
        pages = Arrays.copyOf(pages, needed);
      }
      size = newSize;
    }
  }

  /** Writes the bytes, growing if they lie beyond the end. */
  void write(long position, byte[] source, int offset, int length) {
    extend(position + length);
    int done = 0;
    while (done < length) {
      int page = (int) ((position + done) / PAGE);
      int start = (int) ((position + done) % PAGE);
      int part = Math.min(length - done, PAGE - start);
      byte[] changed = pages[page] == null ? new byte[PAGE] : pages[page].clone();
      System.arraycopy(source, offset + done, changed, start, part);
      pages[page] = changed;
      done += part;
    }
  }

  /** Reads bytes that lie within the size. */
  void read(long position, byte[] target, int offset, int length) {
    int done = 0;
    while (done < length) {
      int page = (int) ((position + done) / PAGE);
      int start = (int) ((position + done) % PAGE);
      int part = Math.min(length - done, PAGE - start);
      if (pages[page] == null) {
        Arrays.fill(target, offset + done, offset + done + part, (byte) 0);
      } else {
        System.arraycopy(pages[page], start, target, offset + done, part);
      }
      done += part;
    }
  }

  /** Takes over the other content's size and its page that holds {@code position}. */
  void sharePage(Content other, long position) {
    extend(other.size);
    int page = (int) (position / PAGE);
    pages[page] = other.pages[page];
  }

  void digestInto(MessageDigest digest) {
    digest.update(Long.toString(size).getBytes(StandardCharsets.US_ASCII));
    for (int page = 0; page < pages.length; page++) {
      if (pages[page] != null) {
        digest.update((byte) page);
        digest.update((byte) (page >>> 8));
        digest.update(pages[page]);
      }
    }
  }
}
