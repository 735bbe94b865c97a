package dev.eagle3.gpu;

/** What a process that holds a GPU is, as far as ending it goes. */
public enum HolderKind {
  /** Somebody's work: shown, and ended only when that was approved. */
  OTHER,
  /** A daemon of the driver, of monitoring or of a display: spared. */
  DAEMON,
  /** One that our own shell on the host descends from, up to its sshd and init: spared. */
  ANCESTOR,
  /** A process of an eagle3 run that lives: refused, whatever the policy. */
  LIVE_RUN
}
