package dev.eagle3.extractor;

import com.google.re2j.Pattern;

/**
 * A line of the log that names why a run failed, or why samples are missing though it ended well.
 *
 * @param code {@code area.kebab-case}
 * @param pattern found anywhere in a line whose worker prefixes were taken off
 * @param example a real line; loading the extractor checks that the pattern finds it
 * @param says one sentence for the user, see {@link Sentence}
 * @param tryNext what to try, likewise
 * @param kind what the line tells of
 */
public record LogFailure(
    String code, Pattern pattern, String example, String says, String tryNext, Kind kind) {

  /**
   * What a line tells of. The word in YAML is the name in lower case; without one it is a cause.
   */
  public enum Kind {
    /** What went wrong. */
    CAUSE,
    /** That another process failed, which says more itself: any other failure is the cause. */
    REPORT,
    /** That a process is gone or silent, which can say nothing itself. */
    GONE,
    /**
     * What the kernel or a scheduler did to a process. It is the cause when the program only says
     * that something is gone, whichever line comes first.
     */
    KERNEL,
    /** What the wrapper of a job knows for certain: the cause, whatever else the log says. */
    VERDICT
  }

  /** A line that tells what went wrong. */
  public LogFailure(String code, Pattern pattern, String example, String says, String tryNext) {
    this(code, pattern, example, says, tryNext, Kind.CAUSE);
  }
}
