package dev.eagle3.log;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.eagle3.extractor.LogFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one error of one worker: what a user needs to see of it, in bounded memory. A block
 * that is longer than {@link #MOST_LINES} keeps its first line, the last frame of its traceback,
 * and what follows that frame: the exception. Of exceptions that Python chains with "direct cause"
 * the first one counts, of those raised while another one was handled the last.
 */
final class ErrorBlock {
  /** How many lines a block shows. */
  static final int MOST_LINES = 12;

  private static final int MOST_CHARACTERS = 400;

  /** Room beside the first line, the ellipsis and the frame line. */
  private static final int MOST_AFTER_FRAME = MOST_LINES - 3;

  private static final Pattern FRAME =
      Pattern.compile("^\\s*File \"([^\"]*)\", line (\\d+)(?:, in (.*))?$");

  private static final Pattern INSTALLED =
      Pattern.compile("/(?:site|dist)-packages/|/lib(?:64)?/python\\d|^<");

  private final String worker;
  private final List<String> first = new ArrayList<>();
  private final List<String> afterFrame = new ArrayList<>();
  private @Nullable String lastFrame;
  private PythonError.@Nullable Frame last;
  private PythonError.@Nullable Frame own;
  private @Nullable String exception;

  /** The exception holds the line below its first one, too. */
  private boolean wholeException;

  private @Nullable FailureLine failure;
  private long lines;
  private boolean traceback;
  private boolean settled;
  private boolean exceptionIsReport;
  private boolean noise;
  private boolean survived;

  ErrorBlock(String worker) {
    this.worker = worker;
  }

  String worker() {
    return worker;
  }

  /** A traceback, or an exception's own line, is in this block. */
  boolean hasTraceback() {
    return traceback;
  }

  void markTraceback() {
    traceback = true;
  }

  boolean isEmpty() {
    return lines == 0;
  }

  /** It comes after other errors, or is none: no cause. */
  boolean isNoise() {
    return noise;
  }

  void markNoise() {
    noise = true;
  }

  /** The worker went on after it. */
  boolean isSurvived() {
    return survived;
  }

  void markSurvived() {
    survived = true;
  }

  /** The exceptions that follow come of this one. */
  void settle() {
    settled = true;
  }

  /** What a rule of the extractor says of it. */
  Optional<FailureLine> failure() {
    return Optional.ofNullable(failure);
  }

  /** A rule names what went wrong. */
  boolean isNamed() {
    return failure != null && failure.rule().kind() != LogFailure.Kind.REPORT;
  }

  /** It tells of another process and nothing of its own. */
  boolean isReport() {
    return failure != null && !isNamed() && (!traceback || exceptionIsReport);
  }

  /** Tells what a rule says of the line that is added next. */
  void name(FailureLine found) {
    boolean isVerdict = found.rule().kind() == LogFailure.Kind.VERDICT;
    if (failure == null
        || isVerdict
        || (!isNamed() && found.rule().kind() != LogFailure.Kind.REPORT)) {
      failure = found;
    }
    exceptionIsReport |= traceback && found.rule().kind() == LogFailure.Kind.REPORT;
  }

  void add(String line) {
    if (line.isBlank() || isMarker(line)) {
      return;
    }
    String cut = cut(line);
    lines++;
    if (first.size() < MOST_LINES) {
      first.add(cut);
    }
    if (settled) {
      return;
    }
    if (line.stripLeading().startsWith("File \"")) {
      lastFrame = cut;
      exception = null;
      afterFrame.clear();
      frame(line);
    } else if (lastFrame != null) {
      if (afterFrame.size() < MOST_AFTER_FRAME) {
        afterFrame.add(cut);
      }
      boolean indented = Character.isWhitespace(line.charAt(0));
      if (exception == null && !indented) {
        exception = cut;
        wholeException = false;
      } else if (exception != null && indented && !wholeException) {
        exception = cut(exception + " " + line.strip());
        wholeException = true;
      }
    }
  }

  private static String cut(String line) {
    return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "…" : line;
  }

  private void frame(String line) {
    Matcher matcher = FRAME.matcher(line);
    if (matcher.find()) {
      String function = matcher.group(3);
      last =
          new PythonError.Frame(
              matcher.group(1), matcher.group(2), function == null ? "" : function);
      if (!INSTALLED.matcher(last.file()).find()) {
        own = last;
      }
    }
  }

  /** The next traceback of a chain begins: its frames are those that count now. */
  void beginNext() {
    if (!settled) {
      own = null;
    }
  }

  /** Python marks what failed in the line above with these. */
  private static boolean isMarker(String line) {
    return line.chars().allMatch(character -> " ^~".indexOf(character) >= 0);
  }

  /** The exception, if the log has it. */
  Optional<PythonError> exception() {
    return exception == null
        ? Optional.empty()
        : Optional.of(
            new PythonError(
                worker, exception, Optional.ofNullable(own), Optional.ofNullable(last), shown()));
  }

  /** At most {@link #MOST_LINES} lines. */
  List<String> shown() {
    if (lines <= MOST_LINES) {
      return List.copyOf(first);
    }
    List<String> shown = new ArrayList<>();
    if (lastFrame == null) {
      shown.addAll(first.subList(0, MOST_LINES - 1));
      shown.add("… (" + (lines - MOST_LINES + 1) + " more lines)");
    } else {
      shown.add(first.get(0));
      shown.add("  …");
      shown.add(lastFrame);
      shown.addAll(afterFrame);
    }
    return List.copyOf(shown);
  }
}
