package dev.eagle3.outcome;

import java.util.Collection;
import java.util.List;

/**
 * Several failures that were found together, each printed as a message of its own: all problems of
 * a profile at once.
 */
public final class Failures extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // the copy is serializable, its interface does not say so
  private final List<Failure> failures;

  /** Copies the failures; there is at least one. */
  public Failures(Collection<Failure> failures) {
    super(failures.size() + " problems, first " + failures.iterator().next().getMessage());
    this.failures = List.copyOf(failures);
  }

  /** The failures in the order in which they are printed. */
  public List<Failure> failures() {
    return failures;
  }

  /** The exit code for all of them. */
  public Exit exit() {
    return Exit.first(failures.stream().map(Failure::exit).toList());
  }
}
