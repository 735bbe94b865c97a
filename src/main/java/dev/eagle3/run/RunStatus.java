package dev.eagle3.run;

/**
 * A run and its state, at one moment.
 *
 * @param folder its folder, which also says its id
 * @param state its state
 * @param logBytes size of its log, asked after the state: a run that has ended had written so much;
 *     -1 when there is no log or it was not asked
 * @param logIdentity device and inode of the log, as one word; another one is another file
 * @param details what else is known
 */
public record RunStatus(
    RunFolder folder, RunState state, long logBytes, String logIdentity, RunDetails details) {

  /** A status without details. */
  public RunStatus(RunFolder folder, RunState state, long logBytes, String logIdentity) {
    this(folder, state, logBytes, logIdentity, RunDetails.UNKNOWN);
  }
}
