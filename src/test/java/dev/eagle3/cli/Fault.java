package dev.eagle3.cli;

/** What is killed at an operation on a host. */
enum Fault {
  /** The client: it ends without a word. */
  CLIENT,
  /** The connection: the server's end of it is killed; the server takes another one at once. */
  CONNECTION,
  /** The server with all its connections; it is started again a moment later. */
  SERVER,
  /** The job with its workers, by SIGKILL; its wrapper lives. */
  JOB,
  /** The wrapper of the job alone, by SIGKILL: the job goes on, and nobody waits for it. */
  WRAPPER,
  /** All of the run, by SIGKILL, the wrapper first. */
  RUN;

  /** Whether it kills processes of the run. */
  boolean isOfRun() {
    return this == JOB || this == WRAPPER || this == RUN;
  }
}
