package dev.eagle3.host;

/** How a command on a host ended. There is no code for "unknown": it is its own case. */
public sealed interface Ending {
  /** It exited. */
  record Exited(int code) implements Ending {}

  /** A signal killed it; the name without SIG, as SSH says it: {@code KILL}, {@code TERM}. */
  record Signalled(String signal) implements Ending {}

  /** The connection went away first: whether it ran, or still runs, is unknown. */
  record Lost(String why) implements Ending {}

  /**
   * The host runs no commands; nothing of it ran.
   *
   * @param why what the host does not offer, for a message as it is
   * @param tryNext the way round
   */
  record Refused(String why, String tryNext) implements Ending {}

  /** It did not end in time; it was given up, and may still run. */
  record TimedOut() implements Ending {}
}
