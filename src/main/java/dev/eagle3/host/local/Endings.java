package dev.eagle3.host.local;

import dev.eagle3.host.Ending;
import dev.eagle3.host.SignalNames;
import java.util.Optional;

/** Reads exit values of the JDK. */
final class Endings {
  private Endings() {}

  /**
   * The JDK says 128 + n for signal n, as shells do. A command that itself exits with such a code,
   * or whose last child was killed, looks the same.
   */
  static Ending of(int exitValue) {
    Optional<String> signal = SignalNames.ofExitCode(exitValue);
    return signal.isPresent() ? new Ending.Signalled(signal.get()) : new Ending.Exited(exitValue);
  }
}
