package dev.eagle3.watch;

/** Why a log that belongs to no run is followed no further. */
public enum LogEnd {
  /** The processes that were seen to have it open for writing have it open no more. */
  WRITERS_GONE,
  /** No process has it open for writing, and whoever asks would see one on this host. */
  NOBODY_WRITES,
  /**
   * It has not been written for longer than a job is silent. Whoever writes to it, if anybody does,
   * cannot be seen.
   */
  LONG_STILL
}
