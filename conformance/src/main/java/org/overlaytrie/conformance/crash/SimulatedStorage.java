package org.overlaytrie.conformance.crash;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.overlaytrie.conformance.crash.Operation.Kind;
import org.overlaytrie.storage.Storage;
import org.overlaytrie.storage.StorageFile;

/**
 * A directory in memory with the durability of a real one: what was written but not forced survives
 * a crash in any subset of its sectors, what was created or deleted but not forced survives in any
 * subset of those operations, and what was forced survives always.
 *
 * <p>A script may make operations fail or stop the machine. A crash does not change this storage:
 * {@link #crash} and {@link #kill} give the storage that is found afterwards, any number of times,
 * so that one execution can be crashed in every way.
 *
 * <p>It has no locks and starts no threads: the callers' own ordering, which {@link Storage} asks
 * for, is all there is, so no ordering is lent to a store that lacks it. Two calls that overlap on
 * one file end in an {@link AssertionError} as far as they can be noticed.
 */
public final class SimulatedStorage implements Storage {

  /** Decides what becomes of each operation; called by the operating thread, before it. */
  public interface Script {
    /** How the operation goes wrong, null if it does not. May also look at the storage. */
    Fault before(Operation operation);
  }

  private static final String LOCK = "LOCK";
  private static final Script NOTHING_FAILS = operation -> null;

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
  private final Script script;
  private long operations;
  private volatile SimulatedCrash crash;
  private boolean closed;

  /** An empty directory in which nothing fails. */
  public SimulatedStorage() {
    this(NOTHING_FAILS);
  }

  /** An empty directory whose operations go as the script says. */
  public SimulatedStorage(Script script) {
    this(new TreeMap<>(), new TreeMap<>(), new ArrayList<>(), script);
  }

  private SimulatedStorage(
      Map<String, CachedFile> cached,
      Map<String, CachedFile> durable,
      List<Entry> unforced,
      Script script) {
    this.cached = cached;
    this.durable = durable;
    this.unforced = unforced;
    this.script = script;
  }

  @Override
  public List<String> list() throws IOException {
    Fault fault = begin(Kind.LIST, "", 0, 0);
    if (fault != null) {
      throw failure(fault, "");
    }
    List<String> names = new ArrayList<>(cached.keySet());
    names.add(LOCK);
    return names;
  }

  @Override
  public StorageFile create(String name, long size) throws IOException {
    Fault fault = begin(Kind.CREATE, name, 0, size);
    if (fault != null && fault.part() == 0) {
      throw failure(fault, name);
    }
    CachedFile file = new CachedFile();
    Entry entry = new Entry(name, file);
    entry.applyTo(cached);
    unforced.add(entry);
    if (fault != null) {
      file.extend(Math.min(fault.part(), size));
      throw failure(fault, name);
    }
    file.extend(size);
    return new Handle(name, file);
  }

  @Override
  public StorageFile open(String name) throws IOException {
    Fault fault = begin(Kind.OPEN, name, 0, 0);
    if (fault != null) {
      throw failure(fault, name);
    }
    return new Handle(name, existing(name));
  }

  @Override
  public void delete(String name) throws IOException {
    Fault fault = begin(Kind.DELETE, name, 0, 0);
    if (fault == null || fault.part() > 0) {
      CachedFile unused = existing(name);
      Entry entry = new Entry(name, null);
      entry.applyTo(cached);
      unforced.add(entry);
    }
    if (fault != null) {
      throw failure(fault, name);
    }
  }

  @Override
  public void forceDirectory() throws IOException {
    Fault fault = begin(Kind.FORCE_DIRECTORY, "", 0, 0);
    if (fault == null || fault.part() > 0) {
      unforced.forEach(entry -> entry.applyTo(durable));
      unforced.clear();
    }
    if (fault != null) {
      throw failure(fault, "");
    }
  }

  @Override
  public String locate(String name) {
    return "simulated:/" + name;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** True once the script stopped the machine. */
  public boolean crashed() {
    return crash != null;
  }

  /** The operations begun so far. */
  public long operations() {
    return operations;
  }

  /**
   * What a process finds that opens the directory after this one was killed: all that was written,
   * but still only as durable as it was.
   */
  public SimulatedStorage kill(Script next) {
    Map<CachedFile, CachedFile> copies = new HashMap<>();
    List<Entry> entries = new ArrayList<>();
    for (Entry entry : unforced) {
      entries.add(
          new Entry(
              entry.name,
              entry.file == null ? null : copies.computeIfAbsent(entry.file, CachedFile::copy)));
    }
    return new SimulatedStorage(copy(cached, copies), copy(durable, copies), entries, next);
  }

  /** {@link #kill(Script)} with nothing failing afterwards. */
  public SimulatedStorage kill() {
    return kill(NOTHING_FAILS);
  }

  /**
   * What is found after a power failure that left of the {@link #uncertain} changes those that the
   * predicate accepts by their index.
   */
  public SimulatedStorage crash(IntPredicate survives, Script next) {
    int[] index = {0};
    BooleanSupplier nextSurvives = () -> survives.test(index[0]++);
    Map<String, CachedFile> directory = new TreeMap<>(durable);
    for (Entry entry : unforced) {
      if (nextSurvives.getAsBoolean()) {
        entry.applyTo(directory);
      }
    }
    Map<CachedFile, CachedFile> crashed = new HashMap<>();
    for (CachedFile file : files()) {
      crashed.put(file, file.crash(nextSurvives));
    }
    return new SimulatedStorage(
        copy(directory, crashed), copy(directory, crashed), new ArrayList<>(), next);
  }

  /** {@link #crash(IntPredicate, Script)} with nothing failing afterwards. */
  public SimulatedStorage crash(IntPredicate survives) {
    return crash(survives, NOTHING_FAILS);
  }

  /**
   * The number of changes that a crash may take or leave, each on its own: creations and deletions
   * first, then the pieces of each file, in the order in which they were made.
   */
  public int uncertain() {
    return unforced.size() + files().stream().mapToInt(CachedFile::uncertain).sum();
  }

  /** The file's bytes as a reader sees them, null if there is no such file. */
  public byte[] content(String name) {
    CachedFile file = cached.get(name);
    if (file == null) {
      return null;
    }
    byte[] bytes = new byte[Math.toIntExact(file.cached().size())];
    file.cached().read(0, bytes, 0, bytes.length);
    return bytes;
  }

  /** The names of the files, without the lock file. */
  public List<String> names() {
    return List.copyOf(cached.keySet());
  }

  /** Puts a durable file there, as if it had always been: for damaged and foreign files. */
  public void plant(String name, byte[] content) {
    CachedFile file = new CachedFile();
    file.extend(content.length);
    file.write(0, content, 0, content.length);
    file.force();
    cached.put(name, file);
    durable.put(name, file);
    unforced.removeIf(entry -> entry.name.equals(name));
  }

  /** A digest of all that a reader can see and of all that may be found after a crash. */
  public String fingerprint() {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    digestInto(digest, cached);
    if (uncertain() > 0) {
      digestInto(digest, durable);
      for (Entry entry : unforced) {
        digestInto(digest, Collections.singletonMap(entry.name, entry.file));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
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

  private static Map<String, CachedFile> copy(
      Map<String, CachedFile> directory, Map<CachedFile, CachedFile> copies) {
    Map<String, CachedFile> result = new TreeMap<>();
    directory.forEach(
        (name, file) -> result.put(name, copies.computeIfAbsent(file, CachedFile::copy)));
    return result;
  }

  private CachedFile existing(String name) throws IOException {
    CachedFile file = cached.get(name);
    if (file == null) {
      throw new FileNotFoundException(locate(name));
    }
    return file;
  }

  private Fault begin(Kind kind, String name, long position, long length) throws IOException {
    if (crash != null) {
      throw crash;
    }
    if (closed) {
      throw new IOException("the storage is closed");
    }
    Operation operation = new Operation(operations++, kind, name, position, length);
    Fault fault = script.before(operation);
    if (fault != null && fault.kind() == Fault.Kind.CRASH) {
      crash = new SimulatedCrash(operation.toString());
      throw crash;
    }
    return fault;
  }

  private IOException failure(Fault fault, String name) {
    String reason =
        fault.kind() == Fault.Kind.NO_SPACE ? "no space left on device" : "input/output error";
    return new IOException(locate(name) + ": " + reason + " (simulated)");
  }

  private final class Handle implements StorageFile {
    private final String name;
    private final CachedFile file;
    private Thread user;
    private boolean shut;

    Handle(String name, CachedFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      Fault fault = enter(Kind.SIZE, 0, 0);
      try {
        if (fault != null) {
          throw failure(fault, name);
        }
        return file.cached().size();
      } finally {
        user = null;
      }
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws IOException {
      Fault fault = enter(Kind.READ, position, length);
      try {
        if (fault != null) {
          throw failure(fault, name);
        }
        if (position + length > file.cached().size()) {
          throw new EOFException(locate(name) + " ends before offset " + (position + length));
        }
        file.cached().read(position, target, offset, length);
      } finally {
        user = null;
      }
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws IOException {
      Fault fault = enter(Kind.WRITE, position, length);
      try {
        int written = fault == null ? length : (int) Math.min(fault.part(), length);
        if (written > 0) {
          file.write(position, source, offset, written);
        }
        if (fault != null) {
          throw failure(fault, name);
        }
      } finally {
        user = null;
      }
    }

    @Override
    public void force() throws IOException {
      Fault fault = enter(Kind.FORCE, 0, 0);
      try {
        if (fault == null) {
          file.force();
        } else {
          if (fault.kind() == Fault.Kind.DROPPED_PAGES) {
            file.drop();
          }
          throw failure(fault, name);
        }
      } finally {
        user = null;
      }
    }

    @Override
    public void close() {
      shut = true;
    }

    private Fault enter(Kind kind, long position, long length) throws IOException {
      if (shut) {
        throw new IOException(locate(name) + " is closed");
      }
      Fault fault = begin(kind, name, position, length);
      if (user != null) {
        throw new AssertionError(user + " and " + Thread.currentThread() + " are both in " + name);
      }
      user = Thread.currentThread();
      return fault;
    }
  }
}
