package dev.eagle3.verify.deep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures and lists as people read them. */
final class Words {
  private static final int MOST_LINES = 5;

  private Words() {}

  /** {@code 10,000}. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A number of four digits: {@code 0.01234}, {@code 12.34}, {@code 1.234e+06}. */
  static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }

  /** The first few lines, and how many there are beside. */
  static List<String> first(List<String> lines) {
    if (lines.size() <= MOST_LINES) {
      return lines;
    }
    List<String> first = new ArrayList<>(lines.subList(0, MOST_LINES));
    first.add("and " + count(lines.size() - (long) MOST_LINES) + " more");
    return first;
  }
}
