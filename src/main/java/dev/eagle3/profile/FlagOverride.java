package dev.eagle3.profile;

import java.util.List;

/** What a profile says about a flag of the script itself. */
public sealed interface FlagOverride {
  /** The flag is left out. */
  record Dropped() implements FlagOverride {}

  /**
   * The flag is given with these words.
   *
   * @param words none for a flag without a value
   */
  record Words(List<String> words) implements FlagOverride {
    /** Copies the list. */
    public Words {
      words = List.copyOf(words);
    }
  }
}
