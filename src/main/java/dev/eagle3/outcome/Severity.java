package dev.eagle3.outcome;

import java.util.Locale;

/** How much a finding weighs. */
public enum Severity {
  /** Worth saying; nothing is wrong. */
  NOTE,
  /** May be wrong; does not change the exit code. */
  WARNING,
  /** Wrong: verification fails. */
  ERROR;

  /** The word in text and JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
