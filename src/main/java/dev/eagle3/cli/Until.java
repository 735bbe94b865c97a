package dev.eagle3.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a run is waited for. */
enum Until {
  /** Its model is loaded. */
  LOADED("loaded"),
  /** It has saved a good sample. */
  FIRST_SAMPLE("at its first good sample"),
  /** It has ended well. */
  DONE("done");

  private final String says;

  Until(String says) {
    this.says = says;
  }

  /** The word on a command line. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What follows "the run is". */
  String says() {
    return says;
  }

  static Optional<Until> of(String word) {
    return Arrays.stream(values()).filter(until -> until.word().equals(word)).findFirst();
  }
}
