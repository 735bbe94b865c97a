package dev.eagle3.report;

/**
 * What a text report may assume of where it writes.
 *
 * @param out standard output is a terminal
 * @param err standard error is a terminal
 * @param columns how wide the terminal is
 * @param color colours are wanted; they are used on a terminal only. The caller reads {@code
 *     NO_COLOR} and {@code --no-color}
 */
public record Screen(boolean out, boolean err, int columns, boolean color) {
  /** Both streams go to files or pipes. */
  public static final Screen NONE = new Screen(false, false, 80, false);

  /** Takes a width that no terminal has for 80 columns. */
  public Screen {
    columns = columns < 20 ? 80 : columns;
  }
}
