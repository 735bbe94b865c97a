package dev.eagle3.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;

/** The process: takes what it needs from the machine, and exits. */
public final class Main {
  private static final int BUFFER_BYTES = 8192;
  private static final int USUAL_COLUMNS = 80;

  private Main() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] arguments) {
    Map<String, String> environment = System.getenv();
    PrintStream out = stream(FileDescriptor.out);
    PrintStream err = stream(FileDescriptor.err);
    Surroundings surroundings =
        new Surroundings(
            System.in,
            out,
            err,
            environment,
            Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", "/"))),
            terminal(),
            new SttyKeyboard(),
            Clock.systemUTC(),
            () -> new SecureRandom().nextInt());
    int code = new Eagle3(surroundings).run(arguments);
    out.flush();
    err.flush();
    System.exit(code);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor), BUFFER_BYTES),
        false,
        StandardCharsets.UTF_8);
  }

  /**
   * The launcher says which streams are terminals, since the JVM tells it only for all at once and
   * newer ones not at all. Without the launcher none counts as one.
   */
  private static Surroundings.Terminal terminal() {
    String facts = System.getProperty("eagle3.terminal", "");
    return new Surroundings.Terminal(
        facts.contains("0"),
        facts.contains("1"),
        facts.contains("2"),
        Integer.getInteger("eagle3.columns", USUAL_COLUMNS));
  }
}
