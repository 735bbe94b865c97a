package dev.eagle3.log;

import java.util.List;
import java.util.Optional;

/**
 * An exception that nobody caught, as its traceback tells it. Its texts are parts of the log:
 * whoever prints them escapes them.
 *
 * @param worker prefixes of the process that it happened in; empty for the script itself
 * @param exception the exception's own line, cut
 * @param own the last frame in code that is not installed: the user's script, or a file beside it
 * @param last the last frame of all
 * @param lines what to show of it, at most 12 lines
 */
public record PythonError(
    String worker,
    String exception,
    Optional<Frame> own,
    Optional<Frame> last,
    List<String> lines) {

  /** Copies the list. */
  public PythonError {
    lines = List.copyOf(lines);
  }

  /** A place in a program. */
  public record Frame(String file, String line, String function) {
    /** It as {@code file:line}. */
    public String place() {
      return file + ":" + line;
    }
  }
}
