package dev.eagle3.host.local;

import dev.eagle3.host.Ending;
import java.util.Map;

/** Reads exit values of the JDK. */
final class Endings {
  private static final int BY_SIGNAL = 128;

  /** The signals that POSIX numbers, and those that Linux numbers alike on every machine. */
  private static final Map<Integer, String> SIGNALS =
      Map.ofEntries(
          Map.entry(1, "HUP"),
          Map.entry(2, "INT"),
          Map.entry(3, "QUIT"),
          Map.entry(4, "ILL"),
          Map.entry(6, "ABRT"),
          Map.entry(7, "BUS"),
          Map.entry(8, "FPE"),
          Map.entry(9, "KILL"),
          Map.entry(10, "USR1"),
          Map.entry(11, "SEGV"),
          Map.entry(12, "USR2"),
          Map.entry(13, "PIPE"),
          Map.entry(14, "ALRM"),
          Map.entry(15, "TERM"));

  private Endings() {}

  /**
   * The JDK says 128 + n for signal n, as shells do. A command that itself exits with such a code,
   * or whose last child was killed, looks the same.
   */
  static Ending of(int exitValue) {
    String signal = SIGNALS.get(exitValue - BY_SIGNAL);
    return signal == null ? new Ending.Exited(exitValue) : new Ending.Signalled(signal);
  }
}
