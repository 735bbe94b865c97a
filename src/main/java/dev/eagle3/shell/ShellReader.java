package dev.eagle3.shell;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads shell text by the rules of POSIX, and the commonest of bash: quotes, continuations,
 * comments, pipes, lists, groups, redirections and here-documents. Loops, branches and functions
 * are refused.
 */
public final class ShellReader {
  /** A program cannot be given a longer word. */
  public static final int MOST_CHARACTERS = 128 << 10;

  private static final int MOST_DEPTH = 32;

  private static final Set<String> RESERVED =
      Set.of(
          "if",
          "then",
          "else",
          "elif",
          "fi",
          "for",
          "while",
          "until",
          "do",
          "done",
          "case",
          "esac",
          "select",
          "function",
          "[[");

  private static final List<String> REDIRECTIONS =
      List.of("&>>", "<<<", "<<-", "&>", ">>", ">|", ">&", "<<", "<&", "<>", ">", "<");

  private final String text;
  private final ShellScanner scanner;
  private int at;
  private int depth;

  /** The end of the line behind which here-documents stand, and where the last of them ends. */
  private int documentsFrom = -1;

  private int documentsTo;

  private ShellReader(String text) {
    this.text = text;
    this.scanner = new ShellScanner(text);
  }

  /**
   * The commands of a text, in order.
   *
   * @throws Failure {@code USAGE}, with where and what no shell could read or we do not
   */
  public static List<ShellPipeline> read(String text) {
    refuseUnreadable(text);
    ShellReader reader = new ShellReader(text.replace("\r\n", "\n").replace('\r', '\n'));
    List<ShellPipeline> commands = reader.list('\0');
    if (reader.at < reader.text.length()) {
      throw reader.scanner.problem(
          "has a " + reader.text.charAt(reader.at) + " too many", reader.at);
    }
    return commands;
  }

  private static void refuseUnreadable(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw Failure.of(
          Exit.USAGE,
          ShellScanner.SUBJECT,
          "is longer than " + MOST_CHARACTERS + " characters; no launch line is");
    }
    for (int index = 0; index < text.length(); index++) {
      char c = text.charAt(index);
      if (Character.isISOControl(c) && "\t\n\r".indexOf(c) < 0) {
        throw Failure.of(
            Exit.USAGE,
            ShellScanner.SUBJECT,
            String.format("holds the control character \\x%02x", (int) c));
      }
      if (Character.isSurrogate(c)
          && !(Character.isHighSurrogate(c)
              ? index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1))
              : index > 0 && Character.isHighSurrogate(text.charAt(index - 1)))) {
        throw Failure.of(
            Exit.USAGE, ShellScanner.SUBJECT, "holds half a surrogate pair, which is no character");
      }
    }
  }

  /** Pipelines up to the character that closes, or the end of the text for 0. */
  private List<ShellPipeline> list(char closing) {
    if (++depth > MOST_DEPTH) {
      throw scanner.problem("has more than " + MOST_DEPTH + " groups inside each other", at);
    }
    List<ShellPipeline> pipelines = new ArrayList<>();
    while (true) {
      skipLines();
      if (at == text.length() || text.charAt(at) == ')' || closes(closing)) {
        if (!pipelines.isEmpty() && pipelines.get(pipelines.size() - 1).after().length() == 2) {
          throw scanner.problem("ends where a command should follow", at);
        }
        depth--;
        return pipelines;
      }
      pipelines.add(pipeline(closing));
    }
  }

  private boolean closes(char closing) {
    return closing == '}'
        && text.charAt(at) == '}'
        && (at + 1 == text.length() || " \t\n;&|)".indexOf(text.charAt(at + 1)) >= 0);
  }

  private ShellPipeline pipeline(char closing) {
    int from = at;
    List<ShellCommand> commands = new ArrayList<>();
    while (true) {
      commands.add(command());
      skipBlanks();
      int to = at;
      if (scanner.startsWith("|", at) && !scanner.startsWith("||", at)) {
        at += scanner.startsWith("|&", at) ? 2 : 1;
        skipLines();
        continue;
      }
      String after = separator(closing);
      return new ShellPipeline(source(from, to), commands, after);
    }
  }

  private String separator(char closing) {
    if (at == text.length() || text.charAt(at) == ')' || closes(closing)) {
      return "";
    }
    for (String operator : List.of("&&", "||", ";", "&")) {
      if (scanner.startsWith(operator, at)) {
        at += operator.length();
        return operator;
      }
    }
    return ";";
  }

  private ShellCommand command() {
    int from = at;
    List<ShellWord> words = new ArrayList<>();
    List<Redirection> redirections = new ArrayList<>();
    List<ShellPipeline> body = group();
    while (true) {
      int to = at;
      skipBlanks();
      if (redirection(redirections)) {
        continue;
      }
      if (at < text.length() && ShellScanner.isWordStart(text, at) && body == null) {
        int start = at;
        ShellWord word = scanner.word(at);
        at = scanner.end();
        if (words.isEmpty() && RESERVED.contains(word.source())) {
          throw scanner.problem(
              "has a "
                  + word.source()
                  + ", and only plain commands are read; give the line that launches one run",
              start);
        }
        words.add(word);
        continue;
      }
      if (body == null && words.isEmpty() && redirections.isEmpty()) {
        throw at < text.length()
            ? scanner.problem("has a " + text.charAt(at) + " where a command should stand", at)
            : scanner.problem("ends where a command should follow", at);
      }
      if (at < text.length() && text.charAt(at) == '(') {
        throw scanner.problem("has a ( in the middle of a command", at);
      }
      String source = source(from, to);
      return body == null
          ? new ShellCommand.Simple(source, words, redirections)
          : new ShellCommand.Group(source, body, redirections);
    }
  }

  private @Nullable List<ShellPipeline> group() {
    char opening = at < text.length() ? text.charAt(at) : 0;
    boolean brace =
        opening == '{' && at + 1 < text.length() && " \t\n".indexOf(text.charAt(at + 1)) >= 0;
    if (opening != '(' && !brace) {
      return null;
    }
    int from = at++;
    List<ShellPipeline> body = list(brace ? '}' : ')');
    if (at == text.length() || text.charAt(at) != (brace ? '}' : ')')) {
      throw scanner.problem("has a " + opening + " that is not closed, opened", from);
    }
    at++;
    return body;
  }

  private boolean redirection(List<Redirection> redirections) {
    int digits = at;
    while (digits < text.length() && Character.isDigit(text.charAt(digits)) && digits < at + 3) {
      digits++;
    }
    for (String operator : REDIRECTIONS) {
      if (!scanner.startsWith(operator, digits) || (digits > at && operator.startsWith("&"))) {
        continue;
      }
      if (operator.length() == 1 && scanner.startsWith("(", digits + 1)) {
        return false;
      }
      OptionalInt descriptor =
          digits > at
              ? OptionalInt.of(Integer.parseInt(text.substring(at, digits)))
              : OptionalInt.empty();
      at = digits + operator.length();
      skipBlanks();
      if (at == text.length() || !ShellScanner.isWordStart(text, at)) {
        throw scanner.problem("has a " + operator + " without a file", digits);
      }
      ShellWord target = scanner.word(at);
      at = scanner.end();
      boolean document = operator.equals("<<") || operator.equals("<<-");
      redirections.add(
          new Redirection(
              descriptor,
              document ? "<<" : operator,
              target,
              document
                  ? Optional.of(document(target.text(), operator.equals("<<-")))
                  : Optional.empty()));
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (scanner.startsWith("\\\n", at)) {
        at += 2;
      } else if (c == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (c == ' ' || c == '\t') {
        at++;
      } else {
        return;
      }
    }
  }

  /** Blanks, comments, line ends and lone semicolons; here-documents are read at a line's end. */
  private void skipLines() {
    skipBlanks();
    while (at < text.length() && text.charAt(at) == '\n') {
      at = at == documentsFrom ? documentsTo : at + 1;
      skipBlanks();
    }
  }

  /** The lines up to the one that is nothing but {@code end}; they start behind this line. */
  private String document(String end, boolean cutTabs) {
    if (documentsFrom < at) {
      int lineEnd = text.indexOf('\n', at);
      documentsFrom = lineEnd < 0 ? text.length() : lineEnd;
      documentsTo = Math.min(documentsFrom + 1, text.length());
    }
    StringBuilder document = new StringBuilder();
    while (documentsTo < text.length()) {
      int lineEnd = text.indexOf('\n', documentsTo);
      int next = lineEnd < 0 ? text.length() : lineEnd;
      String line = text.substring(documentsTo, next);
      line = cutTabs ? line.replaceFirst("^\t+", "") : line;
      documentsTo = Math.min(next + 1, text.length());
      if (line.equals(end)) {
        return document.toString();
      }
      document.append(line).append('\n');
    }
    throw scanner.problem("has a here-document without its end " + end, text.length());
  }

  private String source(int from, int to) {
    return text.substring(from, to).replace("\\\n", "").strip();
  }
}
