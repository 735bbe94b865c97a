package dev.eagle3.gpu;

/** What a process that holds a GPU is, as far as ending it goes. */
public enum HolderKind {
  /** Somebody's work: shown, and ended only when that was agreed to. */
  OTHER,
  /** Of an eagle3 run of ours that is over: ended without asking. */
  OVER_RUN,
  /** A worker {@code VLLM::*} of ours whose parents are gone: ended without asking. */
  ORPHAN,
  /** Of another user, and we may not end it: refused. */
  FOREIGN,
  /** A daemon of the driver, of monitoring or of a display: spared. */
  DAEMON,
  /** One that our own shell on the host descends from, up to its sshd and init: spared. */
  ANCESTOR,
  /** A process of an eagle3 run that lives: refused, whatever the policy. */
  LIVE_RUN;

  /** Whether it is nobody's work any more. */
  boolean isLeftOver() {
    return this == OVER_RUN || this == ORPHAN;
  }
}
