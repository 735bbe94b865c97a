package dev.eagle3.watch;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a run comes to whose samples turn out bad while it lives. {@link BadSampleRule} decides. */
public enum OnBad {
  /** It is ended when going on would only make more of the same. */
  AUTO,
  /** It is ended for any bad sample. */
  STOP,
  /** It goes on; what is bad is said. */
  WARN;

  /** The word on a command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a word on a command line means; empty for another word. */
  public static Optional<OnBad> of(String word) {
    return Arrays.stream(values()).filter(choice -> choice.word().equals(word)).findFirst();
  }
}
