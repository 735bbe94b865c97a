package dev.eagle3.tensor;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.List;

/** What is wrong with a file, where reading cannot go on. Becomes a finding; never leaves here. */
final class FileFault extends Exception {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final String expected;
  private final String actual;
  private final transient List<String> evidence;

  FileFault(String code, String expected, String actual, String... evidence) {
    super(actual, null, false, false);
    this.code = code;
    this.expected = expected;
    this.actual = actual;
    this.evidence = List.of(evidence);
  }

  Finding finding(String subject) {
    return new Finding(code, Severity.ERROR, subject, expected, actual, evidence);
  }
}
