package dev.eagle3.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A text split into words as a POSIX shell splits it, quotes and backslashes taken off. Nothing is
 * expanded: what a shell would expand or act upon is a problem, since it would be taken literally.
 *
 * @param words the words; empty after a problem
 * @param problem why it cannot be split
 */
record ShellWords(List<String> words, Optional<String> problem) {
  private static final String ACTIVE = "$`;&|<>()*?[";
  private static final String ACTIVE_AT_START = "#~";
  private static final String ACTIVE_IN_QUOTES = "$`";

  /** Splits a text. */
  static ShellWords split(String text) {
    return new Splitter(text).split();
  }

  private static final class Splitter {
    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int at;

    Splitter(String text) {
      this.text = text;
    }

    ShellWords split() {
      while (at < text.length()) {
        char c = text.charAt(at++);
        Optional<String> problem = Optional.empty();
        if (c == ' ' || c == '\t' || c == '\n') {
          endWord();
        } else if (c == '\'') {
          problem = single();
        } else if (c == '"') {
          problem = quoted();
        } else if (c == '\\') {
          problem = escaped();
        } else if (ACTIVE.indexOf(c) >= 0 || (!inWord && ACTIVE_AT_START.indexOf(c) >= 0)) {
          problem = active(c);
        } else {
          add(c);
        }
        if (problem.isPresent()) {
          return new ShellWords(List.of(), problem);
        }
      }
      endWord();
      return new ShellWords(words, Optional.empty());
    }

    private Optional<String> single() {
      int end = text.indexOf('\'', at);
      if (end < 0) {
        return Optional.of("has a ' that is not closed");
      }
      word.append(text, at, end);
      inWord = true;
      at = end + 1;
      return Optional.empty();
    }

    private Optional<String> quoted() {
      inWord = true;
      while (at < text.length()) {
        char c = text.charAt(at++);
        if (c == '"') {
          return Optional.empty();
        }
        if (ACTIVE_IN_QUOTES.indexOf(c) >= 0) {
          return active(c);
        }
        if (c == '\\' && at < text.length() && "$`\"\\\n".indexOf(text.charAt(at)) >= 0) {
          c = text.charAt(at++);
          if (c == '\n') {
            continue;
          }
        }
        word.append(c);
      }
      return Optional.of("has a \" that is not closed");
    }

    private Optional<String> escaped() {
      if (at == text.length()) {
        return Optional.of("ends with a backslash");
      }
      char c = text.charAt(at++);
      if (c != '\n') {
        add(c);
      }
      return Optional.empty();
    }

    private static Optional<String> active(char c) {
      return Optional.of(
          "has a "
              + c
              + " that a shell would act upon, which does not happen here;"
              + " put it in single quotes, or give a list of words");
    }

    private void add(char c) {
      word.append(c);
      inWord = true;
    }

    private void endWord() {
      if (inWord) {
        words.add(word.toString());
        word.setLength(0);
        inWord = false;
      }
    }
  }
}
