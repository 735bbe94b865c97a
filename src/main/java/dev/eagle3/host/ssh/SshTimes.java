package dev.eagle3.host.ssh;

import java.util.Locale;
import java.util.OptionalLong;

/** The time formats of ssh_config(5): {@code 90}, {@code 1m30s}, {@code 2h}. */
final class SshTimes {
  private static final int MOST_CHARACTERS = 40;

  private SshTimes() {}

  /** The seconds; empty for what is no time, or is longer than any that makes sense. */
  static OptionalLong seconds(String text) {
    if (text.isEmpty() || text.length() > MOST_CHARACTERS) {
      return OptionalLong.empty();
    }
    long seconds = 0;
    long number = -1;
    for (char c : (text.toLowerCase(Locale.ROOT) + (endsInDigit(text) ? "s" : "")).toCharArray()) {
      if (c >= '0' && c <= '9') {
        number = Math.max(0, number) * 10 + (c - '0');
      } else {
        long unit = unit(c);
        if (unit == 0 || number < 0) {
          return OptionalLong.empty();
        }
        seconds += number * unit;
        number = -1;
      }
      if (number > Integer.MAX_VALUE || seconds > Integer.MAX_VALUE) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(seconds);
  }

  private static boolean endsInDigit(String text) {
    return Character.isDigit(text.charAt(text.length() - 1));
  }

  private static long unit(char letter) {
    return switch (letter) {
      case 's' -> 1;
      case 'm' -> 60;
      case 'h' -> 3_600;
      case 'd' -> 86_400;
      case 'w' -> 604_800;
      default -> 0;
    };
  }
}
