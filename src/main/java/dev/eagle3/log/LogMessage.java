package dev.eagle3.log;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a line of a log consists of. The shapes are those of vLLM, of Python's logging as the
 * speculators scripts set it up, of rich, and of the other formats that scripts give to logging.
 *
 * @param worker which process wrote it: the prefixes that vLLM and torch put before a line, for
 *     example {@code (EngineCore_DP0 pid=1) (Worker_TP0 pid=2)}; empty when none
 * @param body the line without these prefixes; patterns of an extractor are matched on it
 * @param level the word of the logging header in upper case, or empty when the line has no header
 * @param message the body without the header, indentation kept
 */
record LogMessage(String worker, String body, String level, String message) {
  private static final Pattern WORKER =
      Pattern.compile(
          "^(?:\\((?:EngineCore(?:_DP\\d+|_\\d+)?|A[Pp][Ii]Server(?:_\\d+)?"
              + "|Worker(?:_(?:DP|PP|PCP|DCP|TP|EP)\\d+)*|VllmWorker rank=\\d+|VllmWorkerProcess"
              + "|RayWorker\\w*) ?(?:pid=\\d+)?(?:, ip=[\\d.]+)?\\) ?"
              + "|\\[rank\\d+\\]: ?)+");

  private static final String LEVEL = "(DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)";

  /** No prefixes are longer. */
  private static final int MOST_OF_PREFIXES = 400;

  /** No header is longer. */
  private static final int MOST_OF_HEADER = 200;

  private static final String TIME =
      "(?:\\d{2,4}[-/]\\d\\d[-/]\\d{2,4}[ T]|\\d\\d[-/]\\d\\d )?"
          + "\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z| ?[+-]\\d\\d:?\\d\\d)?";

  /** Names, numbers of processes and the like between the time and the level. */
  private static final String FIELDS =
      "(?:[\\s|:,()\\[\\]>-]+[^\\s|\\[\\]]+){0,3}?[\\s|:,()\\[\\]>-]+";

  /**
   * Any other format of Python's logging, and loguru's: the level stands between separators behind
   * the time. {@code 2026-02-09 16:20:00.123 | WARNING | text}, {@code [16:20:00] [WARNING] text}
   */
  private static final Pattern LEVEL_BEHIND_TIME =
      Pattern.compile(
          "^\\[?"
              + TIME
              + FIELDS
              + LEVEL
              + "(?:\\](?: - | )?|\\)(?: - | )?|\\s*[|:] ?|\\s+-(?:\\s|$)|\\s|$)");

  /** {@code WARNING: text}, {@code [WARNING|file.py:88] 2026-02-09 16:20:00,123 >> text}. */
  private static final String LEVEL_FIRST =
      LEVEL
          + "(?:\\](?: - | )?|\\|[^\\s\\]]+\\] ?|:(?:\\s|$)| [-|](?:\\s|$)| "
          + TIME
          + ")(?:"
          + TIME
          + "(?: >> |: | - |\\s|$))?";

  /** What rich puts at the end of a line, behind blanks that fill it up to the width. */
  private static final Pattern LOCATION = Pattern.compile("\\s{2,}[\\w.-]+\\.py:\\d{1,6}$");

  /** What a header begins with. */
  private enum Begin {
    LETTER,
    DIGIT,
    BRACKET,
    SPACE
  }

  /** Each with the level in group 1; the message is what follows. */
  private static final Map<Begin, List<Pattern>> HEADERS =
      Map.of(
          Begin.LETTER,
          List.of(
              // vLLM: ERROR 02-09 16:17:03 [multiproc_executor.py:707] text; once without the first
              // bracket
              Pattern.compile(
                  "^" + LEVEL + " \\d\\d-\\d\\d \\d\\d:\\d\\d(?::\\d\\d)? \\[?[^\\]\\s]+\\] ?"),
              // logging without configuration: ERROR:name:text
              Pattern.compile("^" + LEVEL + ":[\\w.]+:"),
              Pattern.compile("^" + LEVEL_FIRST)),
          Begin.DIGIT,
          List.of(
              // logging of speculators up to 0.4: 2026-02-09 16:17:02,123 - name - INFO -   text
              Pattern.compile(
                  "^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:[,.]\\d+)? - .*? - "
                      + LEVEL
                      + " - "),
              LEVEL_BEHIND_TIME),
          Begin.BRACKET,
          List.of(
              // its other form: [2026-02-09 16:17:02] INFO logging_utils.py:49:   text
              Pattern.compile(
                  "^\\[\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\] " + LEVEL + " \\S+:\\d+: ?"),
              // rich: [02/09/26 16:17:02] INFO     text    file.py:49, mostly without the date
              Pattern.compile(
                  "^\\[(?:\\d\\d/\\d\\d/\\d\\d )?\\d\\d:\\d\\d:\\d\\d\\] " + LEVEL + "\\s+"),
              LEVEL_BEHIND_TIME,
              Pattern.compile("^\\[" + LEVEL_FIRST)),
          Begin.SPACE,
          List.of(Pattern.compile("^\\s{10,} " + LEVEL + "\\s+")));

  /** Takes a line apart. */
  static LogMessage of(String line) {
    int start = 0;
    if (line.startsWith("(") || line.startsWith("[rank")) {
      String prefixes =
          line.length() > MOST_OF_PREFIXES ? line.substring(0, MOST_OF_PREFIXES) : line;
      Matcher worker = WORKER.matcher(prefixes);
      start = worker.lookingAt() ? worker.end() : 0;
    }
    String body = line.substring(start).stripTrailing();
    String name = line.substring(0, start).trim();
    String head = body.length() > MOST_OF_HEADER ? body.substring(0, MOST_OF_HEADER) : body;
    for (Pattern header : headers(body)) {
      Matcher matcher = header.matcher(head);
      if (matcher.lookingAt()) {
        String said = LOCATION.matcher(body).replaceFirst("");
        String clean = said.length() < matcher.end() ? body : said;
        return new LogMessage(name, clean, matcher.group(1), clean.substring(matcher.end()));
      }
    }
    return new LogMessage(name, body, "", body);
  }

  private static List<Pattern> headers(String body) {
    char first = body.isEmpty() ? '-' : body.charAt(0);
    @Nullable Begin begin =
        first >= 'A' && first <= 'Z'
            ? Begin.LETTER
            : first >= '0' && first <= '9'
                ? Begin.DIGIT
                : first == '[' ? Begin.BRACKET : first == ' ' ? Begin.SPACE : null;
    return begin == null ? List.of() : HEADERS.getOrDefault(begin, List.of());
  }

  /** How many blanks it begins with. */
  int leadingBlanks() {
    int blanks = 0;
    while (blanks < message.length() && message.charAt(blanks) == ' ') {
      blanks++;
    }
    return blanks;
  }

  /** The same without so many blanks at its start. */
  LogMessage outdented(int blanks) {
    return new LogMessage(worker, body.substring(blanks), level, message.substring(blanks));
  }

  /** The program itself calls this line an error. */
  boolean isErrorLevel() {
    return level.equals("ERROR") || level.equals("CRITICAL") || level.equals("FATAL");
  }

  /** The program itself calls this line something, and no error. */
  boolean isOrdinary() {
    return !level.isEmpty() && !isErrorLevel();
  }
}
