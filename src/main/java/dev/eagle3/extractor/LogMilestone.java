package dev.eagle3.extractor;

import com.google.re2j.Pattern;
import java.time.Duration;

/**
 * A line of the log that marks a step of the program.
 *
 * @param name kebab-case, for example {@code model-loaded}
 * @param pattern found anywhere in a line whose worker prefixes were taken off
 * @param example a real line; loading the extractor checks that the pattern finds it
 * @param quiet for how long after it the program may well say nothing and save nothing
 */
public record LogMilestone(String name, Pattern pattern, String example, Duration quiet) {
  /** Where the extractor says nothing of it: loading a model may be silent for that long. */
  public static final Duration QUIET = Duration.ofMinutes(15);

  /** A milestone of which nobody says how long it is quiet after it. */
  public LogMilestone(String name, Pattern pattern, String example) {
    this(name, pattern, example, QUIET);
  }

  /** The same with another time. */
  public LogMilestone withQuiet(Duration other) {
    return new LogMilestone(name, pattern, example, other);
  }
}
