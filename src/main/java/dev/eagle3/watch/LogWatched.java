package dev.eagle3.watch;

import dev.eagle3.log.LogReader;
import java.util.Optional;
import java.util.Set;

/**
 * How watching a log that belongs to no run ended.
 *
 * @param end why there is nothing more to wait for; empty when watching was stopped before
 * @param last the last look at it
 * @param log what was read of it
 * @param milestones names of the milestones in that
 */
public record LogWatched(
    Optional<LogEnd> end, LogLook last, LogReader log, Set<String> milestones) {
  /** Copies the set. */
  public LogWatched {
    milestones = Set.copyOf(milestones);
  }
}
