package dev.eagle3.extractor;

import java.util.List;

/**
 * What the lines of a program's log mean.
 *
 * @param milestones in the order in which a run shows them
 * @param failures in order of precedence within one line
 */
public record LogRules(List<LogMilestone> milestones, List<LogFailure> failures) {
  /** No rules: lines and progress only. */
  public static final LogRules NONE = new LogRules(List.of(), List.of());

  /** Copies the lists. */
  public LogRules {
    milestones = List.copyOf(milestones);
    failures = List.copyOf(failures);
  }
}
