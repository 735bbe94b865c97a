package dev.eagle3.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What may be done to processes that hold the GPUs before a launch. */
public enum ClearGpus {
  /** Nothing is ended that might be somebody's work; other holders are shown and refused. */
  SAFE,
  /** What {@code fuser -k /dev/nvidia*} does, daemons and our own ancestors spared. */
  ALL,
  /** Holders are not looked for. */
  NONE;

  /** The word of the flag and of profiles. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value that a word of a flag or profile names. */
  public static Optional<ClearGpus> ofWord(String word) {
    return Arrays.stream(values()).filter(value -> value.word().equals(word)).findFirst();
  }
}
