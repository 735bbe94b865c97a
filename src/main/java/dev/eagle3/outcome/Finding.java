package dev.eagle3.outcome;

import java.util.List;

/**
 * One thing that is wrong with one subject.
 *
 * @param code {@code area.kebab-case}, for example {@code layers.count}; stable, as programs match
 *     on it
 * @param severity how much it weighs
 * @param subject what it is about: a file, a tensor of a file, a folder, a host
 * @param expected what was wanted, for example {@code 4 × [512, 7168]}
 * @param actual what is there, for example {@code 771 × [512]}
 * @param evidence further facts, a sentence each; may be empty
 */
public record Finding(
    String code,
    Severity severity,
    String subject,
    String expected,
    String actual,
    List<String> evidence) {

  /** Copies the list. */
  public Finding {
    evidence = List.copyOf(evidence);
  }

  /** A finding without further evidence. */
  public static Finding of(
      String code, Severity severity, String subject, String expected, String actual) {
    return new Finding(code, severity, subject, expected, actual, List.of());
  }
}
