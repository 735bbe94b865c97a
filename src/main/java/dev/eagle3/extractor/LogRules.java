package dev.eagle3.extractor;

import java.util.ArrayList;
import java.util.List;

/**
 * What the lines of a program's log mean.
 *
 * @param milestones in the order in which a run shows them
 * @param failures in order of precedence within one line
 * @param losses lines that say that samples are missing, also when the program ends with exit code
 *     0
 * @param followers lines that are never a cause
 */
public record LogRules(
    List<LogMilestone> milestones,
    List<LogFailure> failures,
    List<LogFailure> losses,
    List<LogFollower> followers) {
  /** No rules: lines and progress only. */
  public static final LogRules NONE = new LogRules(List.of(), List.of());

  /** Copies the lists. */
  public LogRules {
    milestones = List.copyOf(milestones);
    failures = List.copyOf(failures);
    losses = List.copyOf(losses);
    followers = List.copyOf(followers);
  }

  /** Rules without losses and followers. */
  public LogRules(List<LogMilestone> milestones, List<LogFailure> failures) {
    this(milestones, failures, List.of(), List.of());
  }

  /** These rules, and after them those of the others; milestones stay these. */
  public LogRules with(List<LogRules> others) {
    List<LogFailure> allFailures = new ArrayList<>(failures);
    List<LogFailure> allLosses = new ArrayList<>(losses);
    List<LogFollower> allFollowers = new ArrayList<>(followers);
    for (LogRules other : others) {
      allFailures.addAll(other.failures());
      allLosses.addAll(other.losses());
      allFollowers.addAll(other.followers());
    }
    return new LogRules(milestones, allFailures, allLosses, allFollowers);
  }
}
