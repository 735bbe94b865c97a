package dev.eagle3.report;

import dev.eagle3.outcome.Printable;

/** The first column of a text report. */
final class Labels {
  /** As wide as the longest phase, {@code preflight}, and a blank. */
  static final int COLUMNS = 10;

  /** In place of a label, on the lines below the first. */
  static final String NONE = " ".repeat(COLUMNS);

  private Labels() {}

  /** The label and the blanks after it. */
  static String of(String label) {
    return padded(Printable.line(label), COLUMNS - 1) + " ";
  }

  /** Filled with blanks at the right to that many characters. */
  static String padded(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - text.codePointCount(0, text.length())));
  }

  /** Filled with blanks at the left to that many characters. */
  static String rightAligned(String text, int columns) {
    return " ".repeat(Math.max(0, columns - text.codePointCount(0, text.length()))) + text;
  }

  /** Text of a log: printable, tabs kept. */
  static String withTabs(String text) {
    if (text.indexOf('\t') < 0) {
      return Printable.line(text);
    }
    StringBuilder shown = new StringBuilder();
    String separator = "";
    for (String part : text.split("\t", -1)) {
      shown.append(separator).append(Printable.line(part));
      separator = "\t";
    }
    return shown.toString();
  }
}
