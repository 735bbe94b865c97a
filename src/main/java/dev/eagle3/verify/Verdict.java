package dev.eagle3.verify;

import java.util.Locale;

/** What became of a file. */
public enum Verdict {
  /** A sample, and nothing is wrong with it. */
  GOOD,
  /** Something is wrong, or it could not be verified; a finding says what. */
  BAD,
  /** No sample: a lock, a log, a sidecar. */
  SKIPPED;

  /** The word in text and JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
