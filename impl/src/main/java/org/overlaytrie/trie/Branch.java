package org.overlaytrie.trie;

import static org.overlaytrie.trie.Bytes.join;
import static org.overlaytrie.trie.Bytes.label;

import java.util.Arrays;

/**
 * The entries that share the way to this branch followed by {@code prefix}: at most one entry that
 * ends there, whose value the branch holds, and those that go on, each in the slot labelled with
 * its next key byte. The label is not repeated in the child.
 *
 * <p>A branch is sparse or dense. Sparse: {@code labels} is sorted, unsigned, and {@code slots[i]}
 * is the child labelled {@code labels[i]}. Dense: {@code labels} is null and {@code slots[label]}
 * is the child or null. Ascending positions of {@code slots} are ascending labels in both. A sparse
 * branch becomes dense beyond {@link #MAX_SPARSE} children and a dense one sparse below {@link
 * #MIN_DENSE}; between the two it stays as it is, so that no series of changes makes it switch each
 * time.
 */
final class Branch extends Node {
  /** The largest number of children of a sparse branch. */
  static final int MAX_SPARSE = 64;

  /** The smallest number of children of a dense branch. */
  static final int MIN_DENSE = 48;

  private static final int LABELS = 256;

  final byte[] prefix;

  /** The value of the entry that ends at this branch; null if none does. */
  final byte[] value;

  private final byte[] labels;
  private final Node[] slots;
  private final int fanOut;
  private final long size;

  private Branch(byte[] prefix, byte[] value, byte[] labels, Node[] slots, int fanOut, long size) {
    this.prefix = prefix;
    this.value = value;
    this.labels = labels;
    this.slots = slots;
    this.fanOut = fanOut;
    this.size = size;
  }

  /** A branch with a value and one child. */
  static Branch of(byte[] prefix, byte[] value, int label, Node child) {
    return new Branch(
        prefix, value, new byte[] {(byte) label}, new Node[] {child}, 1, 1 + child.size());
  }

  /** A branch with two children and no value. */
  static Branch of(byte[] prefix, int label, Node child, int otherLabel, Node otherChild) {
    boolean ordered = label < otherLabel;
    byte[] labels = {(byte) Math.min(label, otherLabel), (byte) Math.max(label, otherLabel)};
    Node[] slots = {ordered ? child : otherChild, ordered ? otherChild : child};
    return new Branch(prefix, null, labels, slots, 2, child.size() + otherChild.size());
  }

  /**
   * A branch with the first {@code fanOut} of {@code slots}, whose labels are ascending; laid out
   * as if they had been added one by one.
   */
  static Branch of(
      byte[] prefix, byte[] value, byte[] labels, Node[] slots, int fanOut, long size) {
    return laidOut(prefix, value, labels, slots, fanOut, size, fanOut > MAX_SPARSE);
  }

  private static Branch laidOut(
      byte[] prefix,
      byte[] value,
      byte[] labels,
      Node[] slots,
      int fanOut,
      long size,
      boolean dense) {
    return new Branch(
        prefix,
        value,
        dense ? null : Arrays.copyOf(labels, fanOut),
        dense ? spread(labels, slots, fanOut) : Arrays.copyOf(slots, fanOut),
        fanOut,
        size);
  }

  @Override
  byte[] fragment() {
    return prefix;
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
  Branch withFragment(byte[] newPrefix) {
    return new Branch(newPrefix, value, labels, slots, fanOut, size);
  }

  /** This branch with another value; null takes it away. */
  @Override
  Branch withValue(byte[] newValue) {
    int change = (newValue == null ? 0 : 1) - (value == null ? 0 : 1);
    return new Branch(prefix, newValue, labels, slots, fanOut, size + change);
  }

  int fanOut() {
    return fanOut;
  }

  boolean isDense() {
    return labels == null;
  }

  /** The child labelled {@code label}; null if there is none. */
  Node child(int label) {
    if (labels == null) {
      return slots[label];
    }
    int position = search(label);
    return position < 0 ? null : slots[position];
  }

  /** The position of the child labelled {@code label}; negative if there is none. */
  int position(int label) {
    if (labels == null) {
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
    if (labels == null) {
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

  /** The child at a position that has one. */
  Node childAt(int position) {
    return slots[position];
  }

  /** The label of a position that has a child. */
  int labelAt(int position) {
    return labels == null ? position : label(labels[position]);
  }

  /** This branch with another child at a position that has one. */
  Branch withChildAt(int position, Node child) {
    Node[] newSlots = slots.clone();
    newSlots[position] = child;
    long newSize = size - slots[position].size() + child.size();
    return new Branch(prefix, value, labels, newSlots, fanOut, newSize);
  }

  /** This branch with one more child, at a label that has none. */
  Branch withChild(int label, Node child) {
    int newFanOut = fanOut + 1;
    byte[] newLabels = null;
    Node[] newSlots;
    if (isDense()) {
      newSlots = slots.clone();
      newSlots[label] = child;
    } else if (newFanOut > MAX_SPARSE) {
      newSlots = spread(labels, slots, fanOut);
      newSlots[label] = child;
    } else {
      int position = -1 - search(label);
      newLabels = Arrays.copyOf(labels, newFanOut);
      newSlots = Arrays.copyOf(slots, newFanOut);
      System.arraycopy(labels, position, newLabels, position + 1, fanOut - position);
      System.arraycopy(slots, position, newSlots, position + 1, fanOut - position);
      newLabels[position] = (byte) label;
      newSlots[position] = child;
    }
    return new Branch(prefix, value, newLabels, newSlots, newFanOut, size + child.size());
  }

  /** This branch without the child at a position that has one. */
  Branch withoutChildAt(int removed) {
    int newFanOut = fanOut - 1;
    byte[] newLabels = null;
    Node[] newSlots;
    if (isDense() && newFanOut >= MIN_DENSE) {
      newSlots = slots.clone();
      newSlots[removed] = null;
    } else {
      newLabels = new byte[newFanOut];
      newSlots = new Node[newFanOut];
      int target = 0;
      for (int position = nextPosition(0); position >= 0; position = nextPosition(position + 1)) {
        if (position != removed) {
          newLabels[target] = (byte) labelAt(position);
          newSlots[target++] = slots[position];
        }
      }
    }
    long newSize = size - slots[removed].size();
    return new Branch(prefix, value, newLabels, newSlots, newFanOut, newSize);
  }

  /**
   * What is left of this branch with {@code newValue}, the children labelled below {@code low}, the
   * children labelled above {@code high}, {@code lowChild} at {@code low} and {@code highChild} at
   * {@code high}; a null child is none. Not in canonical form. This very branch if that is all of
   * it.
   */
  Branch cut(byte[] newValue, int low, Node lowChild, int high, Node highChild) {
    byte[] newLabels = new byte[fanOut];
    Node[] newSlots = new Node[fanOut];
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
      same &= kept == child;
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
    return laidOut(prefix, newValue, newLabels, newSlots, newFanOut, newSize, dense);
  }

  /**
   * The one form of what is left of a branch that lost children or its value: itself, the leaf or
   * the child that stands for the only entries left, or null if nothing is.
   */
  Node canonical() {
    if (fanOut == 0) {
      return value == null ? null : new Leaf(prefix, value);
    }
    if (fanOut > 1 || value != null) {
      return this;
    }
    int position = nextPosition(0);
    Node child = slots[position];
    return child.withFragment(join(prefix, prefix.length, labelAt(position), child.fragment()));
  }

  /** The slots of a dense branch with the children of a sparse one. */
  private static Node[] spread(byte[] labels, Node[] slots, int fanOut) {
    Node[] spread = new Node[LABELS];
    for (int i = 0; i < fanOut; i++) {
      spread[label(labels[i])] = slots[i];
    }
    return spread;
  }

  /** The position of a label of a sparse branch, or {@code -1 - position} where it belongs. */
  private int search(int label) {
    int low = 0;
    int high = labels.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = label(labels[middle]);
      if (found < label) {
        low = middle + 1;
      } else if (found > label) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return -1 - low;
  }
}
