package dev.eagle3.run;

import dev.eagle3.outcome.Finding;
import java.util.List;
import java.util.Optional;

/**
 * What was noted of a run on its host, beside its log. Texts from the host.
 *
 * @param findings what its guard found, in the order in which it did
 * @param says what else its guard has to say: that it could not watch, for instance
 * @param end why eagle3 ended the run, or was about to
 */
public record GuardNotes(List<Finding> findings, List<String> says, Optional<EndNote> end) {
  /** Nothing was noted. */
  public static final GuardNotes NONE = new GuardNotes(List.of(), List.of(), Optional.empty());

  /** Copies the lists. */
  public GuardNotes {
    findings = List.copyOf(findings);
    says = List.copyOf(says);
  }
}
