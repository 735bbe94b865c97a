package dev.eagle3.run;

import java.util.Optional;

/**
 * A run and its state, at one moment.
 *
 * @param folder its folder, which also says its id
 * @param state its state
 * @param logBytes size of its log, asked after the state: a run that has ended had written so much;
 *     -1 when there is no log or it was not asked
 * @param logIdentity device and inode of the log, as one word; another one is another file
 * @param movedLog where the log is, when somebody moved or removed it under the job; size and
 *     identity are those of that one then
 * @param details what else is known
 */
public record RunStatus(
    RunFolder folder,
    RunState state,
    long logBytes,
    String logIdentity,
    Optional<MovedLog> movedLog,
    RunDetails details) {

  /** A status with its log where it belongs. */
  public RunStatus(
      RunFolder folder, RunState state, long logBytes, String logIdentity, RunDetails details) {
    this(folder, state, logBytes, logIdentity, Optional.empty(), details);
  }

  /**
   * Why eagle3 ended it, also when a guard or another client did; empty when it did not, or the run
   * goes on. A job that exited with 0 was done before it was told to end.
   */
  public Optional<EndNote> endedSince() {
    return state.hasEnded() && state.code() != 0 ? details.notes().end() : Optional.empty();
  }

  /** A status without details. */
  public RunStatus(RunFolder folder, RunState state, long logBytes, String logIdentity) {
    this(folder, state, logBytes, logIdentity, RunDetails.UNKNOWN);
  }
}
