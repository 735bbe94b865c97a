package dev.eagle3.outcome;

/**
 * Text from files, logs, hosts and remote names, made safe to print: a control character never
 * reaches a terminal.
 */
public final class Printable {
  private Printable() {}

  /**
   * The text with every control character (C0, DEL, C1), line and paragraph separator,
   * bidirectional override and lone surrogate shown as {@code \n}, {@code \t}, {@code \x1b} or a
   * Unicode escape. The text is otherwise unchanged; a backslash stays a backslash.
   */
  public static String line(String text) {
    StringBuilder shown = null;
    int index = 0;
    while (index < text.length()) {
      int point = text.codePointAt(index);
      int width = Character.charCount(point);
      if (isHarmless(point)) {
        if (shown != null) {
          shown.appendCodePoint(point);
        }
      } else {
        if (shown == null) {
          shown = new StringBuilder(text.length() + 16).append(text, 0, index);
        }
        shown.append(escaped(point));
      }
      index += width;
    }
    return shown == null ? text : shown.toString();
  }

  /** {@link #line}, cut to {@code most} characters with an ellipsis at the end. */
  public static String line(String text, int most) {
    String head = text.length() > most ? text.substring(0, Math.max(0, most - 1)) + "…" : text;
    return line(head);
  }

  private static boolean isHarmless(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      case Character.FORMAT -> point == 0x200d || point == 0xad;
      default -> true;
    };
  }

  private static String escaped(int point) {
    return switch (point) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> point < 0x100 ? String.format("\\x%02x", point) : String.format("\\u%04x", point);
    };
  }
}
