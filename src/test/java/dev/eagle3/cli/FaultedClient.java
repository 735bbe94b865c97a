package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.testing.Operations;
import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;

/**
 * A client of a process of its own that ends at one operation without a word, from one instruction
 * to the next: no handler runs, nothing is flushed or closed but what the kernel closes. For the
 * host that is the same as kill -9.
 */
final class FaultedClient {
  /** What it ends with, as after a real kill -9. */
  static final int KILLED = 137;

  private FaultedClient() {}

  /** Arguments: the operation, the side, then those of the command. */
  public static void main(String[] arguments) {
    Operations.Operation at = Operations.parse(arguments[0]).orElseThrow();
    Operations.Side side = Operations.Side.valueOf(arguments[1]);
    Operations operations =
        new Operations(
            (operation, now) -> {
              if (operation.equals(at) && now == side) {
                Runtime.getRuntime().halt(KILLED);
              }
              return false;
            });
    SecureRandom salt = new SecureRandom();
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    PrintStream err = new PrintStream(System.err, true, UTF_8);
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            out,
            err,
            System.getenv(),
            Path.of(System.getenv("HOME")),
            new Surroundings.Terminal(false, false, false, 80),
            ask -> {
              throw new AssertionError("nobody is to be asked");
            },
            Clock.systemUTC(),
            () -> salt.nextInt(1 << 16),
            operations::count);
    int code = new Eagle3(surroundings).run(Arrays.copyOfRange(arguments, 2, arguments.length));
    System.exit(code);
  }
}
