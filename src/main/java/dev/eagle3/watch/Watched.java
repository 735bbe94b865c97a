package dev.eagle3.watch;

import dev.eagle3.log.LogReader;
import dev.eagle3.run.RunStatus;

/**
 * How watching a run ended.
 *
 * @param last the run's status: final when it has ended, else the last that is known
 * @param stopped whether watching was stopped while the run went on
 * @param log what was read of the log: its offset, its errors, its failure
 */
public record Watched(RunStatus last, boolean stopped, LogReader log) {}
