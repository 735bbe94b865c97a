package dev.eagle3.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test of a hostile host: real processes, a real server, or real files in a state that a
 * careless program would make worse.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Hostile {
  /** The situation, in a few words that stand alone: {@code nvidia-smi hangs}. */
  String value();
}
