package org.overlaytrie.spec;

/** The write operations of the map, under the names that the specifications use. */
public enum OperationKind {
  /** Sets the key to the value, whatever it held. */
  PUT,
  /** Removes the key; no change if it is absent. */
  REMOVE,
  /** Sets the key to the value if it is absent; otherwise no change. */
  PUT_IF_ABSENT,
  /** Sets the key to the value if it is present; otherwise no change. */
  REPLACE,
  /** Sets the key to the value if it holds the expected value; otherwise no change. */
  REPLACE_IF,
  /** Removes the key if it holds the expected value; otherwise no change. */
  REMOVE_IF,
  /** Makes several writes, of keys and of ranges, as one change; answers nothing. */
  BATCH
}
