package dev.eagle3.tensor;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects what is wrong with one file. */
final class Findings {
  private static final int MOST_NAME_CHARACTERS = 120;

  private final String subject;
  private final List<Finding> list = new ArrayList<>();

  Findings(String subject) {
    this.subject = subject;
  }

  void add(FileFault fault) {
    list.add(fault.finding(subject));
  }

  void error(String code, String expected, String actual, String... evidence) {
    list.add(new Finding(code, Severity.ERROR, subject, expected, actual, List.of(evidence)));
  }

  void warning(String code, String expected, String actual, String... evidence) {
    list.add(new Finding(code, Severity.WARNING, subject, expected, actual, List.of(evidence)));
  }

  void note(String code, String expected, String actual, String... evidence) {
    list.add(new Finding(code, Severity.NOTE, subject, expected, actual, List.of(evidence)));
  }

  /**
   * One finding for many like cases: a single one is told whole, more are counted.
   *
   * @param facts further evidence, after the cases
   */
  void gather(
      Severity severity, String code, String expected, String what, Cases cases, String... facts) {
    if (cases.count() == 0) {
      return;
    }
    List<String> evidence = new ArrayList<>();
    String actual = cases.examples().get(0);
    if (cases.count() > 1) {
      actual = grouped(cases.count()) + " " + what;
      evidence.addAll(cases.examples());
    }
    evidence.addAll(List.of(facts));
    list.add(new Finding(code, severity, subject, expected, actual, evidence));
  }

  List<Finding> list() {
    return list;
  }

  /** A name from the file, cut to a length that a message can hold. */
  static String shortened(String name) {
    return name.length() <= MOST_NAME_CHARACTERS
        ? name
        : name.substring(0, MOST_NAME_CHARACTERS - 1) + "…";
  }

  /** A path within the file, as a message names it. */
  static String place(String path) {
    return path.isEmpty() ? "the object" : shortened(path);
  }

  /** A number as people read it: {@code 29,371,329}. */
  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
