package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A length of time on a command line: {@code 7d}, {@code 12h}, {@code 30m}. */
final class Age {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([dhm])");

  private Age() {}

  /** Reads it; anything else is a usage error of {@code flag}. */
  static Duration parse(String flag, String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw Failure.of(Exit.USAGE, flag + " " + text, "is no length of time").orTry(flag + " 7d");
    }
    long count = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "d" -> Duration.ofDays(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofMinutes(count);
    };
  }
}
