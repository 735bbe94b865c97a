package dev.eagle3.log;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.eagle3.outcome.Event;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the progress that tqdm writes, in its own form and in vLLM's for the shards of a model. A
 * message of another process is often glued to its end, since tqdm writes no line end; and whatever
 * stands before the percentage is its description.
 */
final class ProgressFinder {
  private static final String COUNT = "(\\d+(?:\\.\\d+)?)([kMGTP]?)";
  private static final String RATE =
      "([\\d.]+|\\?)([kMGTP]?)\\s*(?:(s)/([A-Za-z]\\w*)|([A-Za-z]\\w*)/s)";

  /**
   * {@code 12%|## | 14/119 [00:10<01:20, 5.20s/it, ok=3]} or {@code 12% Completed | 14/119 [...]}.
   */
  private static final Pattern OF_TOTAL =
      Pattern.compile(
          "(\\d{1,3})%(?: Completed \\| |\\|[^|]*\\|\\s*)"
              + (COUNT + "/" + COUNT)
              + " \\[[\\d:?]+<([\\d:?]+)(?:,\\s*"
              + RATE
              + ")?(?:,[^\\]]*)?\\]");

  /** {@code 68it [00:10, 6.80it/s]}: tqdm that does not know of how many. */
  private static final Pattern WITHOUT_TOTAL =
      Pattern.compile(
          "\\b" + COUNT + "(?:[A-Za-z]\\w*) \\[[\\d:]+(?:,\\s*" + RATE + ")(?:,[^\\]]*)?\\]");

  /** Descriptions of the extractors' bars, and what those count. */
  private static final Map<String, String> COUNTED =
      Map.of("generating hidden states", "batches", "saving files", "files");

  private static final int MOST_DESCRIPTION = 80;

  private ProgressFinder() {}

  /**
   * A progress in a text.
   *
   * @param progress what it says
   * @param end index in the text after it
   */
  record Found(Event.Progress progress, int end) {}

  /** The first progress in the text, if any; its description reaches back to the text's start. */
  static Optional<Found> find(String text) {
    if (text.contains("%|") || text.contains("% Completed |")) {
      Matcher matcher = OF_TOTAL.matcher(text);
      if (matcher.find() && matcher.start() <= MOST_DESCRIPTION) {
        return Optional.of(ofTotal(text, matcher));
      }
    } else if (text.contains(" [") && text.contains("/s")) {
      Matcher matcher = WITHOUT_TOTAL.matcher(text);
      if (matcher.find() && matcher.start() <= MOST_DESCRIPTION) {
        return Optional.of(withoutTotal(text, matcher));
      }
    }
    return Optional.empty();
  }

  private static Found ofTotal(String text, Matcher matcher) {
    double rate = rate(matcher.group(7), matcher.group(8), matcher.group(9));
    String unit = unit(matcher.group(10), matcher.group(11));
    return new Found(
        new Event.Progress(
            what(text.substring(0, matcher.start()), unit),
            count(matcher.group(2), matcher.group(3)),
            count(matcher.group(4), matcher.group(5)),
            rate,
            seconds(matcher.group(6))),
        matcher.end());
  }

  private static Found withoutTotal(String text, Matcher matcher) {
    double rate = rate(matcher.group(3), matcher.group(4), matcher.group(5));
    String unit = unit(matcher.group(6), matcher.group(7));
    return new Found(
        new Event.Progress(
            what(text.substring(0, matcher.start()), unit),
            count(matcher.group(1), matcher.group(2)),
            -1,
            rate,
            -1),
        matcher.end());
  }

  private static String what(String before, String unit) {
    String description = before.strip();
    if (description.endsWith(":")) {
      description = description.substring(0, description.length() - 1).strip();
    }
    String lower = description.toLowerCase(Locale.ROOT);
    if (lower.endsWith("shards")) {
      return "shards";
    }
    String counted = COUNTED.get(lower);
    if (counted != null) {
      return counted;
    }
    return description.isEmpty() ? unit : description;
  }

  private static String unit(@Nullable String slow, @Nullable String fast) {
    String unit = slow != null ? slow : fast;
    return unit == null || unit.equals("it") ? "steps" : unit.equals("B") ? "bytes" : unit + "s";
  }

  private static long count(String digits, String scale) {
    if (digits.length() > 15) {
      return Long.MAX_VALUE;
    }
    return (long) (Double.parseDouble(digits) * scale(scale));
  }

  /** Per second; tqdm turns the figure around when it is below one. NaN when unknown. */
  private static double rate(
      @Nullable String digits, @Nullable String scale, @Nullable String secondsEach) {
    if (digits == null || digits.length() > 15 || !isNumber(digits)) {
      return Double.NaN;
    }
    double value = Double.parseDouble(digits) * scale(scale);
    if (secondsEach == null) {
      return value;
    }
    return value == 0 ? Double.NaN : 1 / value;
  }

  private static boolean isNumber(String digits) {
    return Character.isDigit(digits.charAt(0)) && digits.indexOf('.') == digits.lastIndexOf('.');
  }

  private static double scale(@Nullable String letter) {
    return letter == null || letter.isEmpty()
        ? 1
        : switch (letter.charAt(0)) {
          case 'k' -> 1e3;
          case 'M' -> 1e6;
          case 'G' -> 1e9;
          case 'T' -> 1e12;
          default -> 1e15;
        };
  }

  /** {@code 09:06} and {@code 1:02:03} in seconds; -1 for {@code ?}. */
  private static long seconds(String clock) {
    long seconds = 0;
    if (clock.length() > 12) {
      return -1;
    }
    for (String part : clock.split(":", -1)) {
      if (part.isEmpty() || part.contains("?")) {
        return -1;
      }
      seconds = seconds * 60 + Long.parseLong(part);
    }
    return seconds;
  }
}
