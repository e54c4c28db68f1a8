package org.overlaytrie.schedules;

import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ACC_VOLATILE;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.POP2;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Rewrites a class file so that it calls {@link Steps#step} before each access to a volatile field,
 * an atomic or a {@code VarHandle}, and {@link Steps} in place of {@code LockSupport}. Everything
 * else stays as it ships.
 *
 * <p>Plain fields are no steps: whether they are published is a question of the memory model, which
 * a controlled schedule cannot ask. Monitors, locks and latches are refused when a controlled
 * thread comes to them, so that no blocking goes unseen.
 */
final class StepInserter {
  private static final String PROJECT = "org/overlaytrie/";
  private static final String STEPS = Steps.class.getName().replace('.', '/');
  private static final Set<String> BLOCKING =
      Set.of("await", "wait", "join", "sleep", "acquire", "acquireUninterruptibly", "take");
  private static final String LOCK_SUPPORT = "java/util/concurrent/locks/LockSupport";

  private final ClassFiles classFiles;
  private final Map<String, Set<String>> volatileFields = new HashMap<>();

  /** Where the class file of a binary name is found; null if nowhere. */
  interface ClassFiles {
    byte[] read(String name);
  }

  StepInserter(ClassFiles classFiles) {
    this.classFiles = classFiles;
  }

  byte[] insertSteps(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    String name = reader.getClassName();
    reader.accept(new Inserter(writer, name.substring(name.lastIndexOf('/') + 1)), 0);
    return writer.toByteArray();
  }

  private boolean isVolatile(String owner, String field) {
    return owner.startsWith(PROJECT)
        && volatileFields.computeIfAbsent(owner, this::readVolatileFields).contains(field);
  }

  private Set<String> readVolatileFields(String owner) {
    Set<String> names = new HashSet<>();
    byte[] classFile = classFiles.read(owner.replace('/', '.'));
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(ASM9) {
              @Override
              public FieldVisitor visitField(
                  int access, String name, String type, String signature, Object value) {
                if ((access & ACC_VOLATILE) != 0) {
                  names.add(name);
                }
                return null;
              }
            },
            ClassReader.SKIP_CODE);
    return names;
  }

  private final class Inserter extends ClassVisitor {
    private final String simpleName;

    Inserter(ClassVisitor next, String simpleName) {
      super(ASM9, next);
      this.simpleName = simpleName;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String type, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, type, signature, exceptions);
      return new MethodInserter(next, simpleName + "." + name, (access & ACC_SYNCHRONIZED) != 0);
    }
  }

  private final class MethodInserter extends MethodVisitor {
    private final String method;
    private final boolean locks;
    private int line;

    MethodInserter(MethodVisitor next, String method, boolean locks) {
      super(ASM9, next);
      this.method = method;
      this.locks = locks;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (locks) {
        call("unsupported", method + " is synchronized");
      }
    }

    @Override
    public void visitLineNumber(int newLine, Label start) {
      line = newLine;
      super.visitLineNumber(newLine, start);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == MONITORENTER) {
        call("unsupported", here("monitor"));
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
      if (isVolatile(owner, name)) {
        call("step", here(name));
      }
      super.visitFieldInsn(opcode, owner, name, type);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean ofInterface) {
      if (owner.equals(LOCK_SUPPORT)) {
        replaceLockSupport(name, type);
        return;
      }
      if (owner.equals(PROJECT + "spec/ProtocolEvents")) {
        call("note", name);
      } else if (isAtomic(owner, name)) {
        call("step", here(owner.substring(owner.lastIndexOf('/') + 1) + "." + name));
      } else if (isBlocking(owner, name)) {
        call("unsupported", here(name));
      }
      super.visitMethodInsn(opcode, owner, name, type, ofInterface);
    }

    private void replaceLockSupport(String name, String type) {
      switch (name + type) {
        case "park()V" -> call("park");
        case "park(Ljava/lang/Object;)V" -> {
          super.visitInsn(POP);
          call("park");
        }
        case "parkNanos(Ljava/lang/Object;J)V" -> { // may end at once, and does
          super.visitInsn(POP2);
          super.visitInsn(POP);
        }
        case "unpark(Ljava/lang/Thread;)V" ->
            super.visitMethodInsn(INVOKESTATIC, STEPS, name, type, false);
        default -> throw new IllegalArgumentException("not controlled: LockSupport." + name + type);
      }
    }

    private static boolean isAtomic(String owner, String name) {
      return !name.equals("<init>")
          && (owner.startsWith("java/util/concurrent/atomic/")
              || owner.equals("java/lang/invoke/VarHandle"));
    }

    private static boolean isBlocking(String owner, String name) {
      return owner.startsWith("java/util/concurrent/locks/")
          || (owner.startsWith("java/") && BLOCKING.contains(name));
    }

    private String here(String what) {
      return method + ":" + line + "  " + what;
    }

    private void call(String step) {
      super.visitMethodInsn(INVOKESTATIC, STEPS, step, "()V", false);
    }

    private void call(String step, String argument) {
      super.visitLdcInsn(argument);
      super.visitMethodInsn(INVOKESTATIC, STEPS, step, "(Ljava/lang/String;)V", false);
    }
  }
}
