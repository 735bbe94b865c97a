package dev.eagle3.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time as people write it: {@code 30s}, {@code 5m}, {@code 2h}, {@code 7d}. */
final class DurationWord implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(s|m|h|d)?");

  @Override
  public Duration convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("'" + text + "' is no time: write 30s, 5m, 2h or 7d");
    }
    long count = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "s" : matcher.group(2);
    return switch (unit) {
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      default -> Duration.ofSeconds(count);
    };
  }
}
