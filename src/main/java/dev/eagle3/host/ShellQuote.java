package dev.eagle3.host;

/** Quoting for POSIX shells. */
public final class ShellQuote {
  private ShellQuote() {}

  /**
   * The text as one word of a POSIX shell, whatever it holds. Text of harmless characters only
   * stays as it is; else single quotes, with {@code '\''} for a single quote.
   *
   * @throws IllegalArgumentException for a NUL, which no argument can hold
   */
  public static String word(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a shell word cannot hold NUL");
    }
    if (!text.isEmpty() && text.chars().allMatch(ShellQuote::isHarmless)) {
      return text;
    }
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static boolean isHarmless(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "_-./:,+@%".indexOf(c) >= 0;
  }
}
