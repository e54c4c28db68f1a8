package org.overlaytrie.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the smallest code element whose change would break an invariant of a specification. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE, ElementType.FIELD})
@Repeatable(Upholds.All.class)
public @interface Upholds {

  /** The invariant, as {@code Module!NameInv}. */
  String value();

  /** Holds several {@link Upholds} of one element. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE, ElementType.FIELD})
  @interface All {
    /** The marks. */
    Upholds[] value();
  }
}
