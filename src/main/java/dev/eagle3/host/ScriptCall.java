package dev.eagle3.host;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One script of {@code resources/host} with its arguments: a step on a host, as data, so that it
 * can be run or printed ({@code --dry-run}).
 *
 * @param before scripts that run before it in the same shell, with the same arguments; it goes on
 *     with what they found, and does not run when one of them exits
 * @param script name without {@code .sh}; before it may come {@code NAME.py}, see {@link
 *     HostScripts#text}
 * @param arguments positional parameters; any text without NUL
 * @param timeout how long it may take
 * @param repeatable whether it may be asked again when a connection was lost and nobody knows what
 *     became of it: it changes nothing, or a second time finds what the first one did, answers the
 *     same and changes nothing more, even while the first one still runs
 */
public record ScriptCall(
    List<String> before,
    String script,
    List<String> arguments,
    Duration timeout,
    boolean repeatable) {
  /** Copies the lists. */
  public ScriptCall {
    before = List.copyOf(before);
    arguments = List.copyOf(arguments);
  }

  /** A call with a minute's time that is not asked again. */
  public static ScriptCall of(String script, String... arguments) {
    return new ScriptCall(List.of(), script, List.of(arguments), Duration.ofMinutes(1), false);
  }

  /** The same call with another time-out. */
  public ScriptCall within(Duration limit) {
    return new ScriptCall(before, script, arguments, limit, repeatable);
  }

  /** The same call, of which the script's author knows that it may be asked again. */
  public ScriptCall again() {
    return new ScriptCall(before, script, arguments, timeout, true);
  }

  /** The same call with another script before its own, in the same shell. */
  public ScriptCall after(String first) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(before);
    return new ScriptCall(all, script, arguments, timeout, repeatable);
  }
}
