package dev.eagle3.output;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * How much stands in a folder.
 *
 * @param bytes its size on disk; empty where counting took too long
 * @param entries how many files and folders stand right in it; empty where nobody counted
 */
public record Amount(OptionalLong bytes, OptionalLong entries) {
  /** Nothing is known. */
  public static final Amount UNKNOWN = new Amount(OptionalLong.empty(), OptionalLong.empty());

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  /** It in words, each after a dot: {@code · 3 entries · 1.2 TiB}; empty when nothing is known. */
  public String says() {
    StringBuilder says = new StringBuilder();
    if (entries.isPresent()) {
      long count = entries.getAsLong();
      says.append(" · ").append(count).append(count == 1 ? " entry" : " entries");
    }
    if (bytes.isPresent()) {
      says.append(" · ").append(size(bytes.getAsLong()));
    }
    return says.toString();
  }

  /** A number of bytes in the largest unit that leaves at least one: {@code 1.2 TiB}. */
  public static String size(long bytes) {
    double amount = bytes;
    int unit = 0;
    while (amount >= 1024 && unit < UNITS.length - 1) {
      amount /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", amount, UNITS[unit]);
  }

  /** A number in a field of an answer; empty for {@code -} and anything else. */
  static OptionalLong number(String field) {
    return field.matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(field))
        : OptionalLong.empty();
  }
}
