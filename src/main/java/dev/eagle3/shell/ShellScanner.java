package dev.eagle3.shell;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.util.ArrayList;
import java.util.List;

/** Finds words in shell text. */
final class ShellScanner {
  static final String SUBJECT = "launch line";

  private static final String ENDS_WORD = " \t\n;&|<>()";
  private static final int MOST_DEPTH = 32;

  private final String text;
  private final List<ShellWord.Piece> pieces = new ArrayList<>();
  private final StringBuilder plain = new StringBuilder();
  private int at;
  private int depth;

  ShellScanner(String text) {
    this.text = text;
  }

  static boolean isWordStart(String text, int at) {
    char c = text.charAt(at);
    return ENDS_WORD.indexOf(c) < 0
        || ((c == '<' || c == '>') && at + 1 < text.length() && text.charAt(at + 1) == '(');
  }

  boolean startsWith(String wanted, int from) {
    return text.startsWith(wanted, from);
  }

  /** Where the last word ended. */
  int end() {
    return at;
  }

  /** The word that starts there. */
  ShellWord word(int from) {
    at = from;
    pieces.clear();
    plain.setLength(0);
    tilde();
    while (at < text.length() && (at == from || ENDS_WORD.indexOf(text.charAt(at)) < 0)) {
      char c = text.charAt(at);
      if (c == '\'') {
        single();
      } else if (c == '"') {
        quoted();
      } else if (c == '\\') {
        escaped();
      } else if (startsWith("$'", at)) {
        escapes();
      } else if (c == '$' || c == '`') {
        expansion(false);
      } else if (c == '<' || c == '>') {
        flush(false);
        int start = at;
        at = closing(at + 1);
        pieces.add(new ShellWord.Piece(text.substring(start, at), false, true));
      } else {
        plain.append(c);
        at++;
      }
    }
    flush(false);
    return new ShellWord(text.substring(from, at).replace("\\\n", ""), pieces);
  }

  Failure problem(String says, int where) {
    int line = 1;
    int lineStart = 0;
    for (int index = 0; index < where; index++) {
      if (text.charAt(index) == '\n') {
        line++;
        lineStart = index + 1;
      }
    }
    String of = line > 1 || text.indexOf('\n') >= 0 ? " of line " + line : "";
    return Failure.of(Exit.USAGE, SUBJECT, says + " at character " + (where - lineStart + 1) + of);
  }

  private void tilde() {
    if (text.charAt(at) != '~') {
      return;
    }
    int end = at + 1;
    while (end < text.length()
        && (Character.isLetterOrDigit(text.charAt(end)) || "_.-".indexOf(text.charAt(end)) >= 0)) {
      end++;
    }
    if (end == text.length()
        || text.charAt(end) == '/'
        || ENDS_WORD.indexOf(text.charAt(end)) >= 0) {
      pieces.add(new ShellWord.Piece(text.substring(at, end), false, true));
      at = end;
    }
  }

  private void flush(boolean quoted) {
    if (plain.length() > 0) {
      pieces.add(new ShellWord.Piece(plain.toString(), quoted, false));
      plain.setLength(0);
    }
  }

  private void single() {
    flush(false);
    int end = text.indexOf('\'', at + 1);
    if (end < 0) {
      throw problem("has a ' that is not closed, opened", at);
    }
    pieces.add(new ShellWord.Piece(text.substring(at + 1, end), true, false));
    at = end + 1;
  }

  private void quoted() {
    flush(false);
    int from = at++;
    boolean empty = true;
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at);
      empty = false;
      if (c == '$' || c == '`') {
        expansion(true);
      } else if (c == '\\' && at + 1 < text.length()) {
        char next = text.charAt(at + 1);
        if ("$`\"\\".indexOf(next) >= 0) {
          plain.append(next);
        } else if (next != '\n') {
          plain.append(c).append(next);
        }
        at += 2;
      } else {
        plain.append(c);
        at++;
      }
    }
    if (at == text.length()) {
      throw problem("has a \" that is not closed, opened", from);
    }
    at++;
    flush(true);
    if (empty) {
      pieces.add(new ShellWord.Piece("", true, false));
    }
  }

  /** {@code $'...'} of bash. */
  private void escapes() {
    flush(false);
    int from = at;
    at += 2;
    while (at < text.length() && text.charAt(at) != '\'') {
      char c = text.charAt(at++);
      if (c == '\\' && at < text.length()) {
        char next = text.charAt(at++);
        int known = "ntr\\'\"".indexOf(next);
        if (known < 0) {
          throw problem("has a \\" + next + " in $'...', which is not read", at - 2);
        }
        plain.append("\n\t\r\\'\"".charAt(known));
      } else {
        plain.append(c);
      }
    }
    if (at == text.length()) {
      throw problem("has a $' that is not closed, opened", from);
    }
    at++;
    flush(true);
  }

  private void escaped() {
    if (at + 1 == text.length()) {
      throw problem("ends with a backslash", at);
    }
    char next = text.charAt(at + 1);
    if (next != '\n') {
      flush(false);
      pieces.add(new ShellWord.Piece(String.valueOf(next), true, false));
    }
    at += 2;
  }

  private void expansion(boolean quoted) {
    int end = expansionEnd();
    if (end == at + 1) {
      plain.append('$');
      at = end;
      return;
    }
    flush(quoted);
    pieces.add(new ShellWord.Piece(text.substring(at, end), quoted, true));
    at = end;
  }

  /** Where what a dollar or a backquote starts ends; right behind a dollar that starts nothing. */
  private int expansionEnd() {
    if (text.charAt(at) == '`') {
      int end = at + 1;
      while (end < text.length() && text.charAt(end) != '`') {
        end += text.charAt(end) == '\\' ? 2 : 1;
      }
      if (end >= text.length()) {
        throw problem("has a ` that is not closed, opened", at);
      }
      return end + 1;
    }
    if (at + 1 == text.length()) {
      return at + 1;
    }
    char next = text.charAt(at + 1);
    if (next == '{' || next == '(') {
      return closing(at + 1);
    }
    if (Character.isLetter(next) || next == '_') {
      int end = at + 2;
      while (end < text.length()
          && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
        end++;
      }
      return end;
    }
    return "@*#?-$!0123456789".indexOf(next) >= 0 ? at + 2 : at + 1;
  }

  /** Right behind the bracket that closes the one at {@code from}; quotes are skipped. */
  private int closing(int from) {
    char opening = text.charAt(from);
    char wanted = opening == '(' ? ')' : '}';
    if (++depth > MOST_DEPTH) {
      throw problem("has more than " + MOST_DEPTH + " expansions inside each other", from);
    }
    int index = from + 1;
    while (index < text.length()) {
      char c = text.charAt(index);
      if (c == wanted) {
        depth--;
        return index + 1;
      }
      if (c == '\\') {
        index += 2;
      } else if (c == '\'' || c == '"') {
        index = quoteEnd(index);
      } else if (c == '(' || (c == '{' && opening == '{')) {
        index = closing(index);
      } else {
        index++;
      }
    }
    throw problem("has a " + opening + " that is not closed, opened", from);
  }

  private int quoteEnd(int from) {
    char quote = text.charAt(from);
    int index = from + 1;
    while (index < text.length() && text.charAt(index) != quote) {
      index += text.charAt(index) == '\\' && quote == '"' ? 2 : 1;
    }
    if (index >= text.length()) {
      throw problem("has a " + quote + " that is not closed, opened", from);
    }
    return index + 1;
  }
}
