package dev.eagle3.cause;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.VerifyResult;
import java.util.List;

/**
 * What verification found, and why.
 *
 * @param result the verdicts
 * @param expected what they were verified against
 * @param causes the reasons behind what is wrong; empty when nothing is, or none is proven
 */
public record Diagnosis(VerifyResult result, Expectation expected, List<Cause> causes) {
  /** Copies the list. */
  public Diagnosis {
    causes = List.copyOf(causes);
  }
}
