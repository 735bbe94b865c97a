package dev.eagle3.outcome;

import java.util.Collection;
import java.util.List;

/**
 * How a command ended, as the process exit code that scripts read. {@code docs/exit-codes.md} is
 * the users' table of the same values; a test holds the two together.
 */
public enum Exit {
  /** Done, and verified where that was asked. */
  DONE(0, "done, and verified where that was asked"),
  /** A bug in eagle3 itself. */
  BUG(1, "a bug in eagle3"),
  /** The command line is wrong. */
  USAGE(2, "the command line is wrong"),
  /** A local file cannot be read or written. */
  LOCAL_FILE(3, "a local file cannot be read or written"),
  /** The profile is invalid. */
  PROFILE(10, "the profile is invalid"),
  /** Refused before anything was touched. */
  REFUSED(11, "refused before anything was touched"),
  /** The host cannot be reached: connect, login, host key. */
  UNREACHABLE(12, "the host is unreachable: connect, login, host key"),
  /** The run failed on the host; its own code is printed. */
  RUN_FAILED(13, "the run failed on the host (its own code is printed)"),
  /** Stopped watching; the run goes on. */
  STOPPED_WATCHING(14, "stopped watching; the run goes on"),
  /** A transfer did not complete. */
  TRANSFER(15, "a transfer did not complete"),
  /** Verified, and something is wrong. */
  WRONG(16, "verified, and something is wrong"),
  /** The connection was lost and could not be restored. */
  LOST(17, "the connection was lost and could not be restored"),
  /** Interrupted with no run launched, or a second Ctrl-C. */
  INTERRUPTED(130, "interrupted with no run launched, or a second Ctrl-C");

  /** Which one a command returns when several hold; what is not listed comes after these. */
  private static final List<Exit> PRECEDENCE =
      List.of(
          BUG,
          USAGE,
          PROFILE,
          UNREACHABLE,
          REFUSED,
          LOST,
          RUN_FAILED,
          WRONG,
          TRANSFER,
          STOPPED_WATCHING,
          LOCAL_FILE,
          INTERRUPTED);

  private final int code;
  private final String meaning;

  Exit(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The process exit code. */
  public int code() {
    return code;
  }

  /** One line for help texts and {@code docs/exit-codes.md}. */
  public String meaning() {
    return meaning;
  }

  /** The code to return when all of {@code exits} hold; {@link #DONE} for none. */
  public static Exit first(Collection<Exit> exits) {
    return PRECEDENCE.stream().filter(exits::contains).findFirst().orElse(DONE);
  }
}
