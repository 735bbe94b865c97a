package dev.eagle3.report;

/**
 * Colours of text that is printable already.
 *
 * @param on whether there are any
 */
record Paint(boolean on) {
  String red(String text) {
    return painted("31", text);
  }

  String green(String text) {
    return painted("32", text);
  }

  String yellow(String text) {
    return painted("33", text);
  }

  String bold(String text) {
    return painted("1", text);
  }

  private String painted(String code, String text) {
    return on ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
