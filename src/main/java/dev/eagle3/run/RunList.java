package dev.eagle3.run;

import java.util.List;

/**
 * Runs of a host, the newest first.
 *
 * @param runs those that were asked for
 * @param older how many older ones there are
 */
public record RunList(List<RunStatus> runs, long older) {
  /** Copies the list. */
  public RunList {
    runs = List.copyOf(runs);
  }
}
