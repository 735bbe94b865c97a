package dev.eagle3.watch;

import dev.eagle3.log.LogReader;
import dev.eagle3.run.RunStatus;
import java.util.Optional;

/**
 * How watching a run ended.
 *
 * @param last the run's status: final when it has ended, else the last that is known
 * @param stopped whether watching was stopped while the run went on
 * @param log what was read of the log: its offset, its errors, its failure
 * @param endedSince why eagle3 ended the run, be it this one, another client or its guard, as a
 *     clause that follows "since"; empty when none did
 */
public record Watched(RunStatus last, boolean stopped, LogReader log, Optional<String> endedSince) {

  /** Of a run that eagle3 did not end. */
  public Watched(RunStatus last, boolean stopped, LogReader log) {
    this(last, stopped, log, Optional.empty());
  }
}
