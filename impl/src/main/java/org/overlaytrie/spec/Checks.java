package org.overlaytrie.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the invariants that a test would fail without; on a class it stands for all its tests. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Checks {
  /** The invariants, each as {@code Module!NameInv}. */
  String[] value();
}
