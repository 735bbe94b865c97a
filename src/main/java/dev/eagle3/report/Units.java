package dev.eagle3.report;

import java.util.Locale;

/** Figures as people read them; the same in every locale. */
public final class Units {
  private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Units() {}

  /** {@code 42s}, {@code 18m03s}, {@code 2h03m} or {@code 3d04h}. */
  public static String duration(long seconds) {
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3600) {
      return String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60);
    }
    if (seconds < 86_400) {
      return String.format(Locale.ROOT, "%dh%02dm", seconds / 3600, seconds / 60 % 60);
    }
    return String.format(Locale.ROOT, "%dd%02dh", seconds / 86_400, seconds / 3600 % 24);
  }

  /** {@code 512 B}, {@code 112.0 MiB}, {@code 1.1 TiB}. */
  public static String bytes(long bytes) {
    int unit = 0;
    double value = (double) bytes;
    // 1023.95 would be printed as 1024.0 of the smaller unit.
    while (value >= 1023.95 && unit < BYTES.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, BYTES[unit]);
  }

  /** {@code 10,000}. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /**
   * {@code 5.2 s/shard}, {@code 3.1 shards/s}, {@code 48.0 MiB/s}.
   *
   * @param what a plural, or bytes
   * @param perSecond more than 0
   */
  static String rate(String what, double perSecond) {
    if (what.equals("bytes")) {
      return bytes((long) perSecond) + "/s";
    }
    boolean plural = what.endsWith("s") && what.indexOf(' ') < 0;
    if (perSecond < 1) {
      return decimal(1 / perSecond) + (plural ? " s/" + singular(what) : " s each");
    }
    return decimal(perSecond) + (plural ? " " + what : "") + "/s";
  }

  private static String singular(String what) {
    return what.substring(0, what.length() - (what.endsWith("ches") ? 2 : 1));
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, value < 99.95 ? "%.1f" : "%,.0f", value);
  }
}
