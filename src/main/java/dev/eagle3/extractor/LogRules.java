package dev.eagle3.extractor;

import java.time.Duration;
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
 * @param heartbeats followers that a program says again and again while it waits, so that they are
 *     no sign of life either
 */
public record LogRules(
    List<LogMilestone> milestones,
    List<LogFailure> failures,
    List<LogFailure> losses,
    List<LogFollower> followers,
    List<LogFollower> heartbeats) {
  /** No rules: lines and progress only. */
  public static final LogRules NONE = new LogRules(List.of(), List.of());

  /** Copies the lists. */
  public LogRules {
    milestones = List.copyOf(milestones);
    failures = List.copyOf(failures);
    losses = List.copyOf(losses);
    followers = List.copyOf(followers);
    heartbeats = List.copyOf(heartbeats);
  }

  /** Rules without losses, followers and heartbeats. */
  public LogRules(List<LogMilestone> milestones, List<LogFailure> failures) {
    this(milestones, failures, List.of(), List.of(), List.of());
  }

  /** These rules, and after them those of the others; milestones stay these. */
  public LogRules with(List<LogRules> others) {
    List<LogFailure> allFailures = new ArrayList<>(failures);
    List<LogFailure> allLosses = new ArrayList<>(losses);
    List<LogFollower> allFollowers = new ArrayList<>(followers);
    List<LogFollower> allHeartbeats = new ArrayList<>(heartbeats);
    for (LogRules other : others) {
      allFailures.addAll(other.failures());
      allLosses.addAll(other.losses());
      allFollowers.addAll(other.followers());
      allHeartbeats.addAll(other.heartbeats());
    }
    return new LogRules(milestones, allFailures, allLosses, allFollowers, allHeartbeats);
  }

  /** The same with another time after which silence is worth a word. */
  public LogRules withQuiet(Duration quiet) {
    return new LogRules(
        milestones.stream().map(mark -> mark.withQuiet(quiet)).toList(),
        failures,
        losses,
        followers,
        heartbeats);
  }
}
