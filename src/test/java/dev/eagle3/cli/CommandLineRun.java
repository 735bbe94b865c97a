package dev.eagle3.cli;

import dev.eagle3.host.Host;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * One run of the command line in this process.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
record CommandLineRun(int code, String out, String err) {
  /** Runs of tests that run at once must not be taken for one another. */
  private static final SecureRandom SALT = new SecureRandom();

  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-11-29T12:00:00Z"), ZoneOffset.UTC);

  private static final Surroundings.Terminal NO_TERMINAL =
      new Surroundings.Terminal(false, false, false, 80);

  private static final Keyboard UNUSED =
      ask -> {
        throw new AssertionError("nobody is to be asked");
      };

  /** Runs with a fixed clock, no terminal, and a home that holds nothing. */
  static CommandLineRun of(String... arguments) {
    return with(Path.of("/nonexistent"), Map.of(), NOON, NO_TERMINAL, UNUSED, arguments);
  }

  /** Runs with a home and variables, at the real time. */
  static CommandLineRun at(Path home, Map<String, String> environment, String... arguments) {
    return with(home, environment, Clock.systemUTC(), NO_TERMINAL, UNUSED, arguments);
  }

  /** As {@link #at}, over connections that pass through something. */
  static CommandLineRun over(
      UnaryOperator<Host> connection,
      Path home,
      Map<String, String> environment,
      String... arguments) {
    return with(home, environment, Clock.systemUTC(), NO_TERMINAL, UNUSED, connection, arguments);
  }

  /** The same at a terminal that shows stderr and takes input, where somebody types. */
  static CommandLineRun typing(
      Path home, Map<String, String> environment, Keyboard keyboard, String... arguments) {
    Surroundings.Terminal terminal = new Surroundings.Terminal(true, false, true, 80);
    return with(home, environment, Clock.systemUTC(), terminal, keyboard, arguments);
  }

  private static CommandLineRun with(
      Path home,
      Map<String, String> environment,
      Clock clock,
      Surroundings.Terminal terminal,
      Keyboard keyboard,
      String... arguments) {
    return with(home, environment, clock, terminal, keyboard, host -> host, arguments);
  }

  private static CommandLineRun with(
      Path home,
      Map<String, String> environment,
      Clock clock,
      Surroundings.Terminal terminal,
      Keyboard keyboard,
      UnaryOperator<Host> connection,
      String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            outStream,
            errStream,
            environment,
            home,
            terminal,
            keyboard,
            clock,
            () -> clock.equals(NOON) ? 0x1a2b : SALT.nextInt(1 << 16),
            connection);
    int code = new Eagle3(surroundings).run(arguments);
    outStream.flush();
    errStream.flush();
    return new CommandLineRun(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
