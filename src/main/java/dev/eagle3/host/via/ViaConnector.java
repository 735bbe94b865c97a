package dev.eagle3.host.via;

import dev.eagle3.host.Host;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import java.time.Duration;
import java.util.Map;

/**
 * Reaches hosts through commands of the user that give a shell on their standard input: {@code
 * docker exec -i NAME sh}, {@code kubectl exec -i POD -- sh}, {@code ssh HOST sh}, {@code srun
 * --jobid N --overlap sh}, and {@code ssh HOST}, whose shell is the login shell.
 */
public final class ViaConnector {
  private static final int MOST_NAME = 60;

  private final Map<String, String> environment;
  private final Duration limit;

  /**
   * A connector; holds nothing open.
   *
   * @param environment of the commands, whole
   */
  public ViaConnector(Map<String, String> environment) {
    this(environment, ViaShells.SHELL_LIMIT);
  }

  /**
   * As {@link #ViaConnector(Map)}.
   *
   * @param limit how long a command may take to give a shell
   */
  public ViaConnector(Map<String, String> environment, Duration limit) {
    this.environment = Map.copyOf(environment);
    this.limit = limit;
  }

  /** How messages name the host behind a command when nobody gave it a name. */
  public static String nameOf(String command) {
    return Printable.line(Secrets.shellText(command.strip()), MOST_NAME);
  }

  /**
   * Runs the command, and waits until its shell answers.
   *
   * @param command for the local {@code sh -c}
   * @param name how messages name the host
   * @return the host, for the caller to close
   * @throws Failure {@code UNREACHABLE} when the command gives no shell
   */
  public Host connect(String command, String name) {
    ViaShells shells = new ViaShells(command, environment, limit);
    try {
      shells.open();
      return new ViaHost(name, shells);
    } catch (NoShellException none) {
      shells.close();
      throw Failure.of(Exit.UNREACHABLE, name, "`" + shown(command) + "` " + none.why())
          .orTry("echo 'echo it works' | " + shown(command))
          .causedBy(none);
    }
  }

  private static String shown(String command) {
    return Printable.line(Secrets.shellText(command.strip()), 300);
  }
}
