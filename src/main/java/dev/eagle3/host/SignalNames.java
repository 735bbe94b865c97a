package dev.eagle3.host;

import java.util.Map;
import java.util.Optional;

/** Names of the signals that Linux numbers alike on every machine, without SIG. */
public final class SignalNames {
  private static final int BY_SIGNAL = 128;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "HUP"),
          Map.entry(2, "INT"),
          Map.entry(3, "QUIT"),
          Map.entry(4, "ILL"),
          Map.entry(5, "TRAP"),
          Map.entry(6, "ABRT"),
          Map.entry(7, "BUS"),
          Map.entry(8, "FPE"),
          Map.entry(9, "KILL"),
          Map.entry(10, "USR1"),
          Map.entry(11, "SEGV"),
          Map.entry(12, "USR2"),
          Map.entry(13, "PIPE"),
          Map.entry(14, "ALRM"),
          Map.entry(15, "TERM"),
          Map.entry(24, "XCPU"),
          Map.entry(25, "XFSZ"));

  private SignalNames() {}

  /**
   * The signal that an exit code of a shell stands for, 128 + n; empty when it is none of these.
   */
  public static Optional<String> ofExitCode(int code) {
    return Optional.ofNullable(NAMES.get(code - BY_SIGNAL));
  }
}
