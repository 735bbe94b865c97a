package dev.eagle3.cause;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.VerifyResult;
import java.util.List;

/**
 * What verification found, and why.
 *
 * @param result the verdicts
 * @param expected what they were verified against
 * @param doubts what is wrong with the expectation itself
 * @param causes the reasons behind what is wrong; empty when nothing is, or none is proven
 */
public record Diagnosis(
    VerifyResult result, Expectation expected, List<Finding> doubts, List<Cause> causes) {
  /** Copies the lists. */
  public Diagnosis {
    doubts = List.copyOf(doubts);
    causes = List.copyOf(causes);
  }

  /** {@link Exit#WRONG} when a file, the set, or what was asked for is wrong. */
  public Exit exit() {
    boolean doubted = doubts.stream().anyMatch(doubt -> doubt.severity() == Severity.ERROR);
    return doubted ? Exit.WRONG : result.exit();
  }
}
