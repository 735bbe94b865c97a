package dev.eagle3.expect;

import dev.eagle3.outcome.Finding;
import java.util.List;

/**
 * What is expected, and what was noticed on the way.
 *
 * @param expectation the values of all places, laid over one another
 * @param findings what is wrong with the places or with what was asked for (a layer that the model
 *     does not have), and notes on what could not be read
 */
public record FoundExpectation(Expectation expectation, List<Finding> findings) {
  /** Copies the list. */
  public FoundExpectation {
    findings = List.copyOf(findings);
  }
}
