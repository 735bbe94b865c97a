package dev.eagle3.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What becomes of what stands in the output folder before a run. */
public enum PreviousOutput {
  /** The folder is renamed, and comes back when the run brings nothing good. */
  SET_ASIDE,
  /** Set aside at first, and deleted once the first new sample is good. */
  DELETE,
  /** Good files stay and the run goes on from there; bad ones are put in quarantine. */
  KEEP;

  /** The word of the flag and of profiles. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The value that a word of a flag or profile names. */
  public static Optional<PreviousOutput> ofWord(String word) {
    return Arrays.stream(values()).filter(value -> value.word().equals(word)).findFirst();
  }
}
