package dev.eagle3.cause;

import dev.eagle3.expect.Expectation;
import dev.eagle3.verify.FileVerdict;
import java.util.List;

/**
 * What a cause is told from. Findings of the log and of records of the job come in here when they
 * are there.
 *
 * @param files verdicts, in natural order
 * @param expected what the files should hold
 * @param run what the run that made them says of itself
 */
record Symptoms(List<FileVerdict> files, Expectation expected, RunFacts run) {
  Symptoms(List<FileVerdict> files, Expectation expected) {
    this(files, expected, RunFacts.NONE);
  }
}
