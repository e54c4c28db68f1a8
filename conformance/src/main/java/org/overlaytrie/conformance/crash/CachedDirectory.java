package org.overlaytrie.conformance.crash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * The names of files apart from their content: what the page cache shows, what the disk is sure to
 * hold, and the creations and deletions between the two, each of which survives a crash or not.
 *
 * <p>Thread-safe: whoever writes the log and whoever makes a checkpoint create and delete files at
 * the same time.
 */
final class CachedDirectory {

  /** A creation, or a deletion if it has no file. */
  private record Entry(String name, CachedFile file) {
    void applyTo(Map<String, CachedFile> directory) {
      if (file == null) {
        directory.remove(name);
      } else {
        directory.put(name, file);
      }
    }
  }

  private final Map<String, CachedFile> cached;
  private final Map<String, CachedFile> durable;
  private final List<Entry> unforced;

  CachedDirectory() {
    this(new TreeMap<>(), new TreeMap<>(), new ArrayList<>());
  }

  private CachedDirectory(
      Map<String, CachedFile> cached, Map<String, CachedFile> durable, List<Entry> unforced) {
    this.cached = cached;
    this.durable = durable;
    this.unforced = unforced;
  }

  synchronized List<String> names() {
    return List.copyOf(cached.keySet());
  }

  /** The file of that name, null if there is none. */
  synchronized CachedFile get(String name) {
    return cached.get(name);
  }

  /** Puts the file in place of any other of that name. */
  synchronized void create(String name, CachedFile file) {
    change(new Entry(name, file));
  }

  synchronized void delete(String name) {
    change(new Entry(name, null));
  }

  private void change(Entry entry) {
    entry.applyTo(cached);
    unforced.add(entry);
  }

  /** Puts the file there as if it had always been. */
  synchronized void plant(String name, CachedFile file) {
    cached.put(name, file);
    durable.put(name, file);
    unforced.removeIf(entry -> entry.name.equals(name));
  }

  /** Makes all creations and deletions durable. */
  synchronized void force() {
    unforced.forEach(entry -> entry.applyTo(durable));
    unforced.clear();
  }

  /** The same directory with the same files in the same state. */
  synchronized CachedDirectory copy() {
    UnaryOperator<CachedFile> copying = once(CachedFile::copy);
    List<Entry> entries = new ArrayList<>();
    for (Entry entry : unforced) {
      entries.add(new Entry(entry.name, entry.file == null ? null : copying.apply(entry.file)));
    }
    return new CachedDirectory(map(cached, copying), map(durable, copying), entries);
  }

  /**
   * The directory after a crash; {@code survives} is asked once for each change that is uncertain,
   * in order.
   */
  synchronized CachedDirectory crash(BooleanSupplier survives) {
    Map<String, CachedFile> surviving = new TreeMap<>(durable);
    for (Entry entry : unforced) {
      if (survives.getAsBoolean()) {
        entry.applyTo(surviving);
      }
    }
    Map<CachedFile, CachedFile> crashed = new HashMap<>();
    for (CachedFile file : files()) {
      crashed.put(file, file.crash(survives));
    }
    return new CachedDirectory(
        map(surviving, crashed::get), map(surviving, crashed::get), new ArrayList<>());
  }

  /** How many changes a crash may take or leave: those of names first, then those of each file. */
  synchronized int uncertain() {
    return unforced.size() + files().stream().mapToInt(CachedFile::uncertain).sum();
  }

  /** All that a reader can see and all that may be found after a crash. */
  synchronized void digestInto(MessageDigest digest) {
    digestInto(digest, cached);
    if (uncertain() > 0) {
      digestInto(digest, durable);
      for (Entry entry : unforced) {
        digestInto(digest, Collections.singletonMap(entry.name, entry.file));
      }
    }
  }

  private static void digestInto(MessageDigest digest, Map<String, CachedFile> directory) {
    directory.forEach(
        (name, file) -> {
          digest.update(name.getBytes(StandardCharsets.UTF_8));
          if (file != null) {
            file.digestInto(digest);
          }
        });
  }

  /** Every file that a crash may leave behind under a name, each once, in a stable order. */
  private Set<CachedFile> files() {
    Set<CachedFile> files = new LinkedHashSet<>(durable.values());
    for (Entry entry : unforced) {
      if (entry.file != null) {
        files.add(entry.file);
      }
    }
    return files;
  }

  /** The function, applied once to each file: two names of one file stay so. */
  private static UnaryOperator<CachedFile> once(UnaryOperator<CachedFile> function) {
    Map<CachedFile, CachedFile> results = new HashMap<>();
    return file -> results.computeIfAbsent(file, function);
  }

  private static Map<String, CachedFile> map(
      Map<String, CachedFile> directory, UnaryOperator<CachedFile> function) {
    Map<String, CachedFile> result = new TreeMap<>();
    directory.forEach((name, file) -> result.put(name, function.apply(file)));
    return result;
  }
}
