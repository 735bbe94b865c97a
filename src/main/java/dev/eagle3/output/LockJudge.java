package dev.eagle3.output;

/** Judges whether a lock on an output folder was left behind; package {@code run} knows how. */
@FunctionalInterface
public interface LockJudge {
  /** Takes every lock for one that is in use. */
  LockJudge STRICT = (run, folder, ageSeconds) -> false;

  /**
   * Whether the run that a lock names is over, or was given up before its launch. May ask the host.
   *
   * @param run what the lock names; may be anything
   * @param folder folder of that run as the lock says it; may be empty
   * @param ageSeconds how long it has been locked
   */
  boolean isLeft(String run, String folder, long ageSeconds);
}
