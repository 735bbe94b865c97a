package dev.eagle3.watch;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides from looks at a log, one after another, whether somebody still writes to it. Never takes
 * what cannot be seen for an end. For one thread.
 */
final class LogEndJudge {
  /** Whoever opens a log for each line has it closed in between: one look proves nothing. */
  private static final int LOOKS = 2;

  /** A log that was written this recently, by nobody who was seen, is looked at again. */
  private static final long RECENT_SECONDS = 10;

  private final long longestSilenceSeconds;
  private boolean sawWriter;
  private boolean growsUnseen;
  private int emptyLooks;
  private long bytes = -1;
  private String identity = "";

  /**
   * Of a log nothing is known.
   *
   * @param longestSilence how long a job says nothing at the most
   */
  LogEndJudge(Duration longestSilence) {
    this.longestSilenceSeconds = longestSilence.toSeconds();
  }

  /**
   * The next look; why there is nothing more to wait for, or empty as long as there is.
   *
   * @param saysEnd whether what was read of the log says itself that the job is done or has failed
   */
  Optional<LogEnd> judge(LogLook look, boolean saysEnd) {
    boolean same = look.identity().equals(identity) && look.bytes() == bytes;
    if (look.isHeld()) {
      sawWriter = true;
      growsUnseen = false;
      emptyLooks = 0;
    } else {
      growsUnseen |= emptyLooks > 0 && !same;
      emptyLooks = same ? emptyLooks + 1 : 1;
    }
    bytes = look.bytes();
    identity = look.identity();
    return look.isHeld() ? Optional.empty() : ofUnheld(look, saysEnd);
  }

  /** Whether a process was seen to have it open for writing. */
  boolean sawWriter() {
    return sawWriter;
  }

  private Optional<LogEnd> ofUnheld(LogLook look, boolean saysEnd) {
    if (look.is() == LogLook.Is.MISSING) {
      return emptyLooks >= LOOKS ? Optional.of(LogEnd.WRITERS_GONE) : Optional.empty();
    }
    if (growsUnseen || (!sawWriter && look.mayBeWrittenUnseen())) {
      long patience = saysEnd ? RECENT_SECONDS : longestSilenceSeconds;
      return look.stillSeconds() > patience ? Optional.of(LogEnd.LONG_STILL) : Optional.empty();
    }
    if (sawWriter) {
      return emptyLooks >= LOOKS ? Optional.of(LogEnd.WRITERS_GONE) : Optional.empty();
    }
    return look.stillSeconds() >= RECENT_SECONDS
        ? Optional.of(LogEnd.NOBODY_WRITES)
        : Optional.empty();
  }
}
