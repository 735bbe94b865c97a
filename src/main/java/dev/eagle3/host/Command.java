package dev.eagle3.host;

import java.time.Duration;

/**
 * A command for a host's shell.
 *
 * @param line what the login shell of the host gets; keep it one constant word or two, since that
 *     shell may be fish or csh (see {@link HostScripts})
 * @param stdin text for its standard input, sent as UTF-8; the input is closed after it
 * @param timeout after which it is given up as {@link Ending.TimedOut}
 * @param mostOutput how many bytes of each of its streams are kept; the rest is read and counted.
 *     Of a command whose output is read as it comes: how many may be on their way, where that is
 *     known
 */
public record Command(String line, String stdin, Duration timeout, int mostOutput) {
  /** Bytes of output kept unless said otherwise. */
  public static final int OUTPUT_LIMIT = 4 << 20;

  /** A command without input. */
  public static Command of(String line, Duration timeout) {
    return new Command(line, "", timeout, OUTPUT_LIMIT);
  }

  /** The same command with input. */
  public Command withInput(String text) {
    return new Command(line, text, timeout, mostOutput);
  }
}
