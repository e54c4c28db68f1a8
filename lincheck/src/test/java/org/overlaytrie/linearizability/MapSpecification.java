package org.overlaytrie.linearizability;

import java.util.TreeMap;

/** What the operations on a map mean when they are called one after the other. */
public class MapSpecification {
  private final TreeMap<Integer, Integer> map = new TreeMap<>();

  public Integer put(int key, int value) {
    return map.put(key, value);
  }

  public Integer putIfAbsent(int key, int value) {
    return map.putIfAbsent(key, value);
  }

  public Integer replace(int key, int value) {
    return map.replace(key, value);
  }

  public boolean replaceIf(int key, int expected, int value) {
    return map.replace(key, expected, value);
  }

  public Integer remove(int key) {
    return map.remove(key);
  }

  public Integer get(int key) {
    return map.get(key);
  }

  public boolean containsKey(int key) {
    return map.containsKey(key);
  }

  public int size() {
    return map.size();
  }

  public String entries() {
    return map.toString();
  }
}
