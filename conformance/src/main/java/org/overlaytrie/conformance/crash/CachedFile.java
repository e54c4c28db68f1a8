package org.overlaytrie.conformance.crash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A file apart from its name: what the page cache shows, what the disk is sure to hold, and what
 * lies between the two, in pieces that each survive a crash or not.
 */
final class CachedFile {
  static final int SECTOR = 512;

  /** What becomes of a piece in a crash. */
  private enum Fate {
    /** Survives or not; the next force keeps it. */
    OPEN,
    /** Survives or not; no force will keep it, because one failed and counted it as clean. */
    DROPPED,
    /** Survives; it waits behind a dropped piece that it must not be merged below. */
    KEPT
  }

  /** A change within one sector; no bytes stands for growth to {@code position}. */
  @SuppressWarnings("ArrayRecordComponent") // shared between copies, never changed or compared
  private record Piece(long position, byte[] bytes, Fate fate) {
    void applyTo(Content content) {
      content.write(position, bytes, 0, bytes.length);
    }
  }

  private final Content cached;
  private final Content durable;
  private final List<Piece> pieces;

  CachedFile() {
    this(new Content(), new Content(), new ArrayList<>());
  }

  private CachedFile(Content cached, Content durable, List<Piece> pieces) {
    this.cached = cached;
    this.durable = durable;
    this.pieces = pieces;
  }

  /** The same file in the same state. */
  CachedFile copy() {
    return new CachedFile(cached.copy(), durable.copy(), new ArrayList<>(pieces));
  }

  Content cached() {
    return cached;
  }

  /** Grows to {@code size}; a crash may leave it as it was, in the middle or grown. */
  void extend(long size) {
    long middle = (cached.size() + size) / 2 / SECTOR * SECTOR;
    if (middle > cached.size()) {
      pieces.add(new Piece(middle, new byte[0], Fate.OPEN));
    }
    cached.extend(size);
    pieces.add(new Piece(size, new byte[0], Fate.OPEN));
  }

  void write(long position, byte[] source, int offset, int length) {
    cached.write(position, source, offset, length);
    int done = 0;
    while (done < length) {
      int part = (int) Math.min(length - done, SECTOR - (position + done) % SECTOR);
      byte[] bytes = new byte[part];
      System.arraycopy(source, offset + done, bytes, 0, part);
      pieces.add(new Piece(position + done, bytes, Fate.OPEN));
      done += part;
    }
  }

  /** Makes durable whatever is open. */
  void force() {
    boolean dropped = pieces.stream().anyMatch(piece -> piece.fate == Fate.DROPPED);
    if (dropped) {
      pieces.replaceAll(
          piece ->
              piece.fate == Fate.OPEN ? new Piece(piece.position, piece.bytes, Fate.KEPT) : piece);
    } else {
      for (Piece piece : pieces) {
        if (piece.bytes.length == 0) {
          durable.extend(piece.position);
        } else {
          durable.sharePage(cached, piece.position);
        }
      }
      pieces.clear();
    }
  }

  /** A force that failed and forgot: whatever is open can be kept by no later force. */
  void drop() {
    pieces.replaceAll(
        piece ->
            piece.fate == Fate.OPEN ? new Piece(piece.position, piece.bytes, Fate.DROPPED) : piece);
  }

  /** How many pieces a crash may take or leave. */
  int uncertain() {
    return (int) pieces.stream().filter(piece -> piece.fate != Fate.KEPT).count();
  }

  /** The file after a crash; {@code survives} is asked once for each uncertain piece, in order. */
  CachedFile crash(BooleanSupplier survives) {
    Content surviving = durable.copy();
    for (Piece piece : pieces) {
      if (piece.fate == Fate.KEPT || survives.getAsBoolean()) {
        piece.applyTo(surviving);
      }
    }
    return new CachedFile(surviving, surviving.copy(), new ArrayList<>());
  }

  /** What a reader sees and what a crash may leave. */
  void digestInto(MessageDigest digest) {
    cached.digestInto(digest);
    if (!pieces.isEmpty()) {
      durable.digestInto(digest);
      for (Piece piece : pieces) {
        digest.update((piece.fate + "@" + piece.position).getBytes(StandardCharsets.US_ASCII));
        digest.update(piece.bytes);
      }
    }
  }
}
