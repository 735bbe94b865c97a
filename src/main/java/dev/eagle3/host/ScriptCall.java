package dev.eagle3.host;

import java.time.Duration;
import java.util.List;

/**
 * One script of {@code resources/host} with its arguments: a step on a host, as data, so that it
 * can be run or printed ({@code --dry-run}).
 *
 * @param script name without {@code .sh}
 * @param arguments positional parameters; any text without NUL
 * @param timeout how long it may take
 */
public record ScriptCall(String script, List<String> arguments, Duration timeout) {
  /** Copies the list. */
  public ScriptCall {
    arguments = List.copyOf(arguments);
  }

  /** A call with a minute's time. */
  public static ScriptCall of(String script, String... arguments) {
    return new ScriptCall(script, List.of(arguments), Duration.ofMinutes(1));
  }

  /** The same call with another time-out. */
  public ScriptCall within(Duration limit) {
    return new ScriptCall(script, arguments, limit);
  }
}
