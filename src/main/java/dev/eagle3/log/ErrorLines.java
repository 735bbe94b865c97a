package dev.eagle3.log;

import com.google.re2j.Pattern;

/** What single lines tell of errors that were not logged as such. */
final class ErrorLines {
  /** Errors of programs that log nothing: an exception's line, a shell, argparse, the kernel. */
  private static final Pattern PLAIN_ERROR =
      Pattern.compile(
          "^(?:(?:[A-Za-z_][\\w.]*)?(?:Error|Exception|Interrupt)(?::|$)"
              + "|\\S+: error: |\\S+: can't open file "
              + "|(?:\\S+: )?(?:line \\d+: |\\d+: )?\\S+: (?:command )?not found$"
              + "|fatal(?: error)?: |terminate called |Fatal Python error: "
              + "|(?:\\S+: line \\d+: +\\d+ )?(?:Killed|Segmentation fault|Bus error|Aborted)"
              + "(?: \\(core dumped\\))?(?:\\s\\s.*)?$"
              + "|[EF]\\d{4} \\d\\d:\\d\\d:\\d\\d|\\[[EF]\\d{3,4} \\d\\d:\\d\\d:\\d\\d)");

  /** pydantic's summary, and the line below it that names a field. */
  private static final String BEFORE_FIELDS = " validation error";

  private static final Pattern FIELD = Pattern.compile("^[\\w.\\[\\]-]{1,100}$");

  /** Lines of Python behind which the traceback of an error stands that ends nothing. */
  private static final Pattern BEFORE_NOISE =
      Pattern.compile("^(?:Exception ignored |Error in |Exception in thread )");

  /** What multiprocessing writes before the traceback that ended a child. */
  private static final Pattern CHILD = Pattern.compile("^Process .{1,100}:$");

  private static final int MOST_OF_PLAIN = 300;

  private ErrorLines() {}

  /** Such lines are short; of others the beginning tells. */
  static boolean isPlainError(String text) {
    return !text.isEmpty() && text.charAt(0) != ' ' && PLAIN_ERROR.matcher(beginning(text)).find();
  }

  static boolean isEndOfChild(String text) {
    return CHILD.matcher(beginning(text)).find();
  }

  static boolean isBeforeNoise(String text) {
    return BEFORE_NOISE.matcher(beginning(text)).find();
  }

  static boolean isBeforeFields(String text) {
    return text.contains(BEFORE_FIELDS);
  }

  static boolean isField(String text) {
    return FIELD.matcher(beginning(text)).find() && !isPlainError(text);
  }

  static boolean isIndented(String text) {
    return !text.isEmpty() && Character.isWhitespace(text.charAt(0));
  }

  private static String beginning(String text) {
    return text.length() > MOST_OF_PLAIN ? text.substring(0, MOST_OF_PLAIN) : text;
  }
}
