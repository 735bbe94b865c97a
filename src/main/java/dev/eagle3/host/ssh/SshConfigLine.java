package dev.eagle3.host.ssh;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One line of ssh_config(5) that says something.
 *
 * @param keyword in lower case
 * @param words its values, without their quotes
 * @param rest everything after the keyword as it stands, for keywords whose value is a command
 */
record SshConfigLine(String keyword, List<String> words, String rest) {
  private static final String BLANKS = " \t\f";

  /** Copies the list. */
  SshConfigLine {
    words = List.copyOf(words);
  }

  /** Whether a line says nothing: a comment, or blanks. */
  static boolean isEmpty(String line) {
    String stripped = line.strip();
    return stripped.isEmpty() || stripped.startsWith("#");
  }

  /**
   * Reads a line: the keyword, {@code =} after it optional, words divided by blanks, quotes around
   * words or parts of them, {@code \} before quotes, blanks and itself, {@code #} before a comment.
   *
   * @throws IllegalArgumentException with what is wrong with it
   */
  static SshConfigLine parse(String line) {
    if (line.indexOf(0) >= 0) {
      throw new IllegalArgumentException("a NUL character");
    }
    String text = line.strip();
    int end = 0;
    while (end < text.length() && BLANKS.indexOf(text.charAt(end)) < 0 && text.charAt(end) != '=') {
      end++;
    }
    String keyword = unquoted(text.substring(0, end)).toLowerCase(Locale.ROOT);
    if (keyword.isEmpty() || !keyword.chars().allMatch(SshConfigLine::isOfKeywords)) {
      throw new IllegalArgumentException("bad configuration option");
    }
    while (end < text.length() && BLANKS.indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    if (end < text.length() && text.charAt(end) == '=') {
      end++;
    }
    String rest = text.substring(end).strip();
    if (rest.isEmpty()) {
      throw new IllegalArgumentException("no argument after keyword \"" + keyword + "\"");
    }
    return new SshConfigLine(keyword, List.of(), rest);
  }

  /**
   * The same with its words read; a line whose value is a command is left as it stands.
   *
   * @throws IllegalArgumentException when the quotes are not whole, or there is no word
   */
  SshConfigLine withWords() {
    List<String> found = new ArrayList<>();
    int at = 0;
    while (at < rest.length() && rest.charAt(at) != '#') {
      if (BLANKS.indexOf(rest.charAt(at)) >= 0) {
        at++;
      } else {
        at = word(at, found);
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("no argument after keyword \"" + keyword + "\"");
    }
    return new SshConfigLine(keyword, found, rest);
  }

  private int word(int start, List<String> found) {
    StringBuilder word = new StringBuilder();
    char quote = 0;
    int at = start;
    for (; at < rest.length(); at++) {
      char c = rest.charAt(at);
      if (c == '\\' && at + 1 < rest.length() && isEscapable(rest.charAt(at + 1), quote)) {
        at++;
        word.append(rest.charAt(at));
      } else if (quote == 0 && BLANKS.indexOf(c) >= 0) {
        break;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote != 0 && c == quote) {
        quote = 0;
      } else {
        word.append(c);
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("invalid quotes");
    }
    found.add(word.toString());
    return at;
  }

  private static boolean isEscapable(char c, char quote) {
    return c == '"' || c == '\'' || c == '\\' || (quote == 0 && c == ' ');
  }

  private static String unquoted(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  private static boolean isOfKeywords(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
