package dev.eagle3.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts of which one must stand in a line for a pattern to be found there, so that a search for
 * them, which is fast, spares most lines the pattern. Reads the pattern only as far as it is sure:
 * an empty list means that nothing is known.
 */
final class RequiredText {
  private static final int LEAST = 4;

  private final String pattern;
  private final int end;
  private int at;

  /** Of the alternatives before this one. */
  private final List<String> texts = new ArrayList<>();

  private StringBuilder run = new StringBuilder();

  /** The best of this alternative so far. */
  private List<String> best = List.of();

  private boolean unknown;

  private RequiredText(String pattern, int from, int end) {
    this.pattern = pattern;
    this.at = from;
    this.end = end;
  }

  /** The texts that a pattern needs, at least one for each of its alternatives. */
  static List<String> of(String pattern) {
    return pattern.contains("(?i") || pattern.contains("\\Q")
        ? List.of()
        : new RequiredText(pattern, 0, pattern.length()).read();
  }

  private List<String> read() {
    while (at < end) {
      char character = pattern.charAt(at);
      switch (character) {
        case '\\' -> escape();
        case '[' -> {
          endRun();
          at = afterClass(at);
        }
        case '(' -> group();
        case '?', '*', '{' -> {
          // What stands before may be missing.
          run.setLength(Math.max(0, run.length() - 1));
          endRun();
          int close = character == '{' ? pattern.indexOf('}', at) : at;
          at = Math.max(at, close) + 1;
        }
        case '+', '.', '^', '$' -> {
          endRun();
          at++;
        }
        case '|' -> {
          endAlternative();
          at++;
        }
        default -> {
          run.append(character);
          at++;
        }
      }
    }
    endAlternative();
    return unknown ? List.of() : List.copyOf(texts);
  }

  private void escape() {
    char escaped = at + 1 < end ? pattern.charAt(at + 1) : 'b';
    if (Character.isLetterOrDigit(escaped)) {
      endRun();
    } else {
      run.append(escaped);
    }
    at += 2;
  }

  private void group() {
    endRun();
    int after = afterGroup(at);
    boolean mayBeMissing = after < end && "?*{".indexOf(pattern.charAt(after)) >= 0;
    if (!mayBeMissing) {
      int from = pattern.startsWith("(?:", at) ? at + 3 : at + 1;
      offer(new RequiredText(pattern, from, after - 1).read());
    }
    at = after;
  }

  private void endRun() {
    if (run.length() >= LEAST) {
      offer(List.of(run.toString()));
    }
    run = new StringBuilder();
  }

  private void offer(List<String> other) {
    if (!other.isEmpty() && shortest(other) > shortest(best)) {
      best = other;
    }
  }

  private static int shortest(List<String> texts) {
    return texts.stream().mapToInt(String::length).min().orElse(0);
  }

  private void endAlternative() {
    endRun();
    unknown |= best.isEmpty();
    texts.addAll(best);
    best = List.of();
  }

  private int afterClass(int open) {
    int index = open + 1;
    if (index < end && pattern.charAt(index) == '^') {
      index++;
    }
    // A bracket that comes first stands for itself.
    index += index < end && pattern.charAt(index) == '\\' ? 2 : 1;
    while (index < end && pattern.charAt(index) != ']') {
      index += pattern.charAt(index) == '\\' ? 2 : 1;
    }
    return index + 1;
  }

  private int afterGroup(int open) {
    int depth = 0;
    int index = open;
    while (index < end) {
      char character = pattern.charAt(index);
      if (character == '\\') {
        index += 2;
      } else if (character == '[') {
        index = afterClass(index);
      } else {
        depth += character == '(' ? 1 : character == ')' ? -1 : 0;
        index++;
        if (depth == 0) {
          return index;
        }
      }
    }
    return index;
  }
}
