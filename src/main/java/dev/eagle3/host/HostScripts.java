package dev.eagle3.host;

/**
 * Runs scripts of {@code resources/host} on a host.
 *
 * <p>The login shell gets the constant command {@code sh -s}; script and arguments travel on
 * standard input inside one brace group, so that a script that arrives half is a syntax error and
 * nothing of it runs. The script's own input is {@code /dev/null}.
 */
public final class HostScripts {
  private final Host host;

  /** Scripts for one host. */
  public HostScripts(Host host) {
    this.host = host;
  }

  /**
   * Runs a script to its end.
   *
   * @throws dev.eagle3.outcome.Failure {@code LOST} when the connection went away (what the script
   *     did is then unknown), {@code UNREACHABLE} when the host has no usable shell
   */
  public ScriptAnswer run(ScriptCall call) {
    throw new IllegalStateException(host.name() + call);
  }

  /** Starts a script whose output is read as it comes (after its begin marker). */
  public RunningCommand start(ScriptCall call) {
    throw new IllegalStateException(host.name() + call);
  }

  /** The call as text to paste into a POSIX shell: {@code sh -s -- ARGS <<'END' ... END}. */
  public static String paste(ScriptCall call) {
    throw new IllegalStateException(call.toString());
  }
}
