package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.join;
import static org.overlaytrie.trie.Bytes.label;
import static org.overlaytrie.trie.Bytes.part;
import static org.overlaytrie.trie.Bytes.withRoom;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The entries that share the way to this branch followed by the prefix, which is the fragment: at
 * most one entry that ends there, whose value the branch holds, and those that go on, each in the
 * slot labelled with its next key byte. The label is not repeated in the child.
 *
 * <p>A branch is sparse or dense. Sparse: the labels follow the prefix in {@code bytes}, sorted,
 * unsigned, and {@code slots[i]} is the child with the label number i. Dense: there are no labels
 * and {@code slots[label]} is the child or null. Ascending positions of {@code slots} are ascending
 * labels in both. A sparse branch becomes dense beyond {@link #MAX_SPARSE} children and a dense one
 * sparse below {@link #MIN_DENSE}; between the two it stays as it is, so that no series of changes
 * makes it switch each time.
 *
 * <p>A slot may hold a {@link Stub}. {@link #child} and {@link #childAt} replace it by the node
 * that it stands for; whatever can do without that node looks at the {@link #slot} as it is.
 * Threads that need the same node at a time may each read it; all but one then drop what they read:
 *
 * <pre>
 *   1  see a stub in the slot
 *   2  read its record and make the node
 *   3  CAS the slot from the stub to the node      lost: another thread has put the same there
 * </pre>
 */
final class Branch extends Node {
  /** The largest number of children of a sparse branch. */
  static final int MAX_SPARSE = 64;

  /** The smallest number of children of a dense branch. */
  static final int MIN_DENSE = 48;

  private static final int LABELS = 256;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Node[].class);

  private final byte[] value;

  /** Which node each one stands for never changes, but it may be by a stub or itself. */
  private final Node[] slots;

  private final long size;

  private int oldestSegment;

  /** Written after the oldest segment, which whoever sees it may therefore read. */
  private volatile long address;

  private Branch(byte[] bytes, byte[] value, Node[] slots, long size) {
    super(bytes);
    this.value = value;
    this.slots = slots;
    this.size = size;
  }

  /** A branch with a value and one child; its prefix is the beginning of {@code start}. */
  static Branch of(byte[] start, int prefixLength, byte[] value, int label, Node child) {
    byte[] bytes = withRoom(start, 0, prefixLength, 1);
    bytes[prefixLength] = (byte) label;
    return new Branch(bytes, value, new Node[] {child}, 1 + child.size());
  }

  /** A branch with two children and no value; its prefix is the beginning of {@code start}. */
  static Branch of(
      byte[] start, int prefixLength, int label, Node child, int otherLabel, Node otherChild) {
    boolean ordered = label < otherLabel;
    byte[] bytes = withRoom(start, 0, prefixLength, 2);
    bytes[prefixLength] = (byte) Math.min(label, otherLabel);
    bytes[prefixLength + 1] = (byte) Math.max(label, otherLabel);
    Node[] slots = {ordered ? child : otherChild, ordered ? otherChild : child};
    return new Branch(bytes, null, slots, child.size() + otherChild.size());
  }

  /**
   * A branch with a part of {@code source} as its prefix and the first {@code fanOut} of {@code
   * slots}, whose labels are ascending; laid out as if they had been added one by one.
   */
  static Branch of(
      byte[] source,
      int from,
      int to,
      byte[] value,
      byte[] labels,
      Node[] slots,
      int fanOut,
      long size) {
    return laidOut(source, from, to, value, labels, slots, fanOut, size, fanOut > MAX_SPARSE);
  }

  private static Branch laidOut(
      byte[] source,
      int from,
      int to,
      byte[] value,
      byte[] labels,
      Node[] slots,
      int fanOut,
      long size,
      boolean dense) {
    if (dense) {
      return new Branch(part(source, from, to), value, spread(labels, 0, slots, fanOut), size);
    }
    byte[] bytes = withRoom(source, from, to, fanOut);
    System.arraycopy(labels, 0, bytes, to - from, fanOut);
    return new Branch(bytes, value, Arrays.copyOf(slots, fanOut), size);
  }

  @Override
  int fragmentLength() {
    return isDense() ? bytes.length : bytes.length - slots.length;
  }

  @Override
  byte[] value() {
    return value;
  }

  @Override
  long size() {
    return size;
  }

  @Override
  Branch withFragment(byte[] source, int from, int to) {
    int prefixLength = fragmentLength();
    int labels = bytes.length - prefixLength;
    byte[] newBytes = withRoom(source, from, to, labels);
    System.arraycopy(bytes, prefixLength, newBytes, to - from, labels);
    return new Branch(newBytes, value, slots, size);
  }

  /** This branch with another value; null takes it away. */
  @Override
  Branch withValue(byte[] newValue) {
    int change = (newValue == null ? 0 : 1) - (value == null ? 0 : 1);
    return new Branch(bytes, newValue, slots, size + change);
  }

  int fanOut() {
    if (!isDense()) {
      return slots.length;
    }
    int children = 0;
    for (Node child : slots) {
      children += child == null ? 0 : 1;
    }
    return children;
  }

  boolean isDense() {
    return slots.length == LABELS;
  }

  @Override
  long address() {
    return address;
  }

  @Override
  int oldestSegment() {
    return oldestSegment;
  }

  @Override
  void install(long newAddress, int newOldestSegment) {
    oldestSegment = newOldestSegment;
    address = newAddress;
  }

  @Override
  boolean hasRecord() {
    return true;
  }

  /** The child labelled {@code label}, in memory; null if there is none. */
  Node child(int label) {
    int position = isDense() ? label : search(label);
    return position < 0 ? null : childAt(position);
  }

  /** What is in the slot of the child labelled {@code label}; null if there is none. */
  Node slotOf(int label) {
    int position = position(label);
    return position < 0 ? null : slot(position);
  }

  /** The position of the child labelled {@code label}; negative if there is none. */
  int position(int label) {
    if (isDense()) {
      return slots[label] == null ? -1 : label;
    }
    return search(label);
  }

  /** The first position from {@code from} on that has a child; negative if there is none. */
  int nextPosition(int from) {
    for (int position = from; position < slots.length; position++) {
      if (slots[position] != null) {
        return position;
      }
    }
    return -1;
  }

  /** The last position from {@code from} down that has a child; negative if there is none. */
  int previousPosition(int from) {
    int position = from;
    while (position >= 0 && slots[position] == null) {
      position--;
    }
    return position;
  }

  /** The position after the last one. */
  int endPosition() {
    return slots.length;
  }

  /**
   * The first position with a child that is labelled {@code label} or higher; {@link #endPosition}
   * if there is none.
   */
  int ceilingPosition(int label) {
    if (isDense()) {
      int position = nextPosition(label);
      return position < 0 ? endPosition() : position;
    }
    int position = search(label);
    return position < 0 ? -1 - position : position;
  }

  /**
   * The number of entries that come before the child at {@code position}, or before where it would
   * be.
   */
  long sizeBefore(int position) {
    long entries = value == null ? 0 : 1;
    for (int i = 0; i < position; i++) {
      entries += slots[i] == null ? 0 : slots[i].size();
    }
    return entries;
  }

  /** The child at a position, in memory; null if there is none, which only dense branches have. */
  Node childAt(int position) {
    Node child = slots[position];
    return child instanceof Stub stub ? faultIn(position, stub) : child;
  }

  /** What is in the slot of a position: the child or its stub. */
  Node slot(int position) {
    return slots[position];
  }

  /**
   * Reads the child and puts it into its slot. The CAS, in volatile mode, is seen by those who take
   * what it found instead of what they read themselves. All others read slots in plain mode: final
   * fields make whichever they see whole, and at worst they still see its address as 0, see {@link
   * Node}.
   */
  private Node faultIn(int position, Stub stub) {
    Node child = stub.loaded();
    Node found = (Node) SLOT.compareAndExchange(slots, position, stub, child);
    return found == stub || found instanceof Stub ? child : found;
  }

  /** This branch without an address and with other objects for the same children. */
  Branch withSlots(Node[] newSlots) {
    return new Branch(bytes, value, newSlots, size);
  }

  /** The label of a position that has a child. */
  int labelAt(int position) {
    return isDense() ? position : label(bytes[fragmentLength() + position]);
  }

  /** This branch with another child at a position that has one. */
  Branch withChildAt(int position, Node child) {
    Node[] newSlots = slots.clone();
    newSlots[position] = child;
    long newSize = size - slots[position].size() + child.size();
    return new Branch(bytes, value, newSlots, newSize);
  }

  /** This branch with one more child, at a label that has none. */
  Branch withChild(int label, Node child) {
    int prefixLength = fragmentLength();
    byte[] newBytes = bytes;
    Node[] newSlots;
    if (isDense()) {
      newSlots = slots.clone();
      newSlots[label] = child;
    } else if (slots.length == MAX_SPARSE) {
      newBytes = part(bytes, 0, prefixLength);
      newSlots = spread(bytes, prefixLength, slots, slots.length);
      newSlots[label] = child;
    } else {
      int position = -1 - search(label);
      int after = slots.length - position;
      newBytes = withRoom(bytes, 0, bytes.length, 1);
      newSlots = Arrays.copyOf(slots, slots.length + 1);
      System.arraycopy(
          bytes, prefixLength + position, newBytes, prefixLength + position + 1, after);
      System.arraycopy(slots, position, newSlots, position + 1, after);
      newBytes[prefixLength + position] = (byte) label;
      newSlots[position] = child;
    }
    return new Branch(newBytes, value, newSlots, size + child.size());
  }

  /** This branch without the child at a position that has one; not in canonical form. */
  Branch withoutChildAt(int removed) {
    int label = labelAt(removed);
    return cut(value, label, null, label, null);
  }

  /**
   * What is left of this branch with {@code newValue}, the children labelled below {@code low}, the
   * children labelled above {@code high}, {@code lowChild} at {@code low} and {@code highChild} at
   * {@code high}; a null child is none. Not in canonical form. This very branch if that is all of
   * it.
   */
  Branch cut(byte[] newValue, int low, Node lowChild, int high, Node highChild) {
    byte[] newLabels = new byte[slots.length];
    Node[] newSlots = new Node[slots.length];
    int newFanOut = 0;
    long newSize = newValue == null ? 0 : 1;
    boolean same = newValue == value;
    for (int position = nextPosition(0); position >= 0; position = nextPosition(position + 1)) {
      int label = labelAt(position);
      Node child = slots[position];
      Node kept = child;
      if (label == low) {
        kept = lowChild;
      } else if (label == high) {
        kept = highChild;
      } else if (label > low && label < high) {
        kept = null;
      }
      same &= isSame(kept, child);
      if (kept != null) {
        newLabels[newFanOut] = (byte) label;
        newSlots[newFanOut++] = kept;
        newSize += kept.size();
      }
    }
    if (same) {
      return this;
    }
    boolean dense = isDense() && newFanOut >= MIN_DENSE;
    return laidOut(
        bytes, 0, fragmentLength(), newValue, newLabels, newSlots, newFanOut, newSize, dense);
  }

  /**
   * The one form of what is left of a branch that lost children or its value: itself, the leaf or
   * the child that stands for the only entries left, or null if nothing is.
   */
  Node canonical() {
    int prefixLength = fragmentLength();
    if (slots.length == 0) {
      return value == null ? null : Leaf.of(bytes, 0, prefixLength, value);
    }
    if (slots.length > 1 || value != null) {
      return this;
    }
    Node child = childAt(0);
    byte[] joined = join(bytes, prefixLength, labelAt(0), child.bytes, child.fragmentLength());
    return child.withFragment(joined, 0, joined.length);
  }

  /** The slots of a dense branch with the children of a sparse one. */
  private static Node[] spread(byte[] labels, int from, Node[] slots, int fanOut) {
    Node[] spread = new Node[LABELS];
    for (int i = 0; i < fanOut; i++) {
      spread[label(labels[from + i])] = slots[i];
    }
    return spread;
  }

  /**
   * The position of a label of a sparse branch, or {@code -1 - position} where it belongs. Halves
   * the candidates without asking for equality on the way, so that the compiler can do without
   * branches: those of a search among random labels are predicted wrong half of the time.
   */
  private int search(int label) {
    int labels = bytes.length - slots.length;
    int candidate = labels;
    for (int count = slots.length; count > 1; ) {
      int half = count >>> 1;
      candidate = label(bytes[candidate + half]) <= label ? candidate + half : candidate;
      count -= half;
    }
    int found = label(bytes[candidate]);
    int position = candidate - labels;
    if (found == label) {
      return position;
    }
    return found < label ? -2 - position : -1 - position;
  }
}
