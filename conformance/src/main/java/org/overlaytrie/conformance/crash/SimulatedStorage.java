package org.overlaytrie.conformance.crash;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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
 * <p>It has no locks, but for the names, and starts no threads: the callers' own ordering, which
 * {@link Storage} asks for, is all there is, so no ordering is lent to a store that lacks it. Two
 * calls that overlap on one file end in an {@link AssertionError} as far as they can be noticed.
 */
public final class SimulatedStorage implements Storage {

  /** Decides what becomes of each operation; called by the operating thread, before it. */
  public interface Script {
    /** How the operation goes wrong, null if it does not. May also look at the storage. */
    Fault before(Operation operation);
  }

  private static final String LOCK = "LOCK";
  private static final Script NOTHING_FAILS = operation -> null;

  private final CachedDirectory directory;
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
    this(new CachedDirectory(), script);
  }

  private SimulatedStorage(CachedDirectory directory, Script script) {
    this.directory = directory;
    this.script = script;
  }

  @Override
  public List<String> list() throws IOException {
    Fault fault = begin(Kind.LIST, "", 0, 0);
    if (fault != null) {
      throw failure(fault, "");
    }
    List<String> names = new ArrayList<>(directory.names());
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
    directory.create(name, file);
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
      directory.delete(name);
    }
    if (fault != null) {
      throw failure(fault, name);
    }
  }

  @Override
  public void forceDirectory() throws IOException {
    Fault fault = begin(Kind.FORCE_DIRECTORY, "", 0, 0);
    if (fault == null || fault.part() > 0) {
      directory.force();
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
    return new SimulatedStorage(directory.copy(), next);
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
    return new SimulatedStorage(directory.crash(() -> survives.test(index[0]++)), next);
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
    return directory.uncertain();
  }

  /** The file's bytes as a reader sees them, null if there is no such file. */
  public byte[] content(String name) {
    CachedFile file = directory.get(name);
    if (file == null) {
      return null;
    }
    byte[] bytes = new byte[Math.toIntExact(file.cached().size())];
    file.cached().read(0, bytes, 0, bytes.length);
    return bytes;
  }

  /** The names of the files, without the lock file. */
  public List<String> names() {
    return directory.names();
  }

  /** Puts a durable file there, as if it had always been: for damaged and foreign files. */
  public void plant(String name, byte[] content) {
    CachedFile file = new CachedFile();
    file.extend(content.length);
    file.write(0, content, 0, content.length);
    file.force();
    directory.plant(name, file);
  }

  /** A digest of all that a reader can see and of all that may be found after a crash. */
  public String fingerprint() {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    directory.digestInto(digest);
    return HexFormat.of().formatHex(digest.digest());
  }

  private CachedFile existing(String name) throws IOException {
    CachedFile file = directory.get(name);
    if (file == null) {
      throw new NoSuchFileException(locate(name));
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
