package dev.eagle3.cli;

import dev.eagle3.host.Host;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

/**
 * All that a command takes from the process it runs in, so that tests can pass their own.
 *
 * @param in standard input
 * @param out standard output: results only
 * @param err standard error: everything else
 * @param environment variables
 * @param home the user's home folder ($HOME, which neither {@code user.home} nor {@code ssh -G}
 *     follow)
 * @param terminal what is known of the terminal
 * @param keyboard reads what must not show; used only while the terminal takes input
 * @param clock the time
 * @param salt tells runs of the same second apart
 * @param connection each connection to a host passes through it before it is used: a place to break
 *     one
 */
record Surroundings(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Path home,
    Terminal terminal,
    Keyboard keyboard,
    Clock clock,
    IntSupplier salt,
    UnaryOperator<Host> connection) {

  /** With connections as they are. */
  Surroundings(
      InputStream in,
      PrintStream out,
      PrintStream err,
      Map<String, String> environment,
      Path home,
      Terminal terminal,
      Keyboard keyboard,
      Clock clock,
      IntSupplier salt) {
    this(in, out, err, environment, home, terminal, keyboard, clock, salt, host -> host);
  }

  /** A variable; empty when unset or blank. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  /**
   * What is known of the terminal.
   *
   * @param input standard input is one, so questions can be answered
   * @param output standard output is one
   * @param error standard error is one
   * @param columns its width
   */
  record Terminal(boolean input, boolean output, boolean error, int columns) {}
}
