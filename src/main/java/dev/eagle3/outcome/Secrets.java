package dev.eagle3.outcome;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one rule for what is a secret: the value of anything named {@code *TOKEN*}, {@code *KEY*},
 * {@code *SECRET*} or {@code *PASS*}, in any case. Whatever is printed or stored readable passes
 * through here; what the job itself gets does not.
 *
 * <p>Two families of names are no secrets, since runs would be unreadable without them: tokenizers
 * ({@code TOKENIZERS_PARALLELISM}, {@code --tokenizer}) and counts of tokens ({@code
 * --max-num-batched-tokens}).
 */
public final class Secrets {
  /** What stands in the place of a secret. */
  public static final String REDACTED = "<redacted>";

  private static final Pattern HARMLESS =
      Pattern.compile("TOKENIZ|(?<=^|[-_.])(?:MAX|MIN|NUM)[-_.](?:[A-Z0-9]+[-_.])*TOKENS$");
  private static final Pattern SECRET = Pattern.compile("TOKEN|KEY|SECRET|PASS");
  private static final Pattern ASSIGNMENT =
      Pattern.compile("-{0,2}[A-Za-z_][A-Za-z0-9_.-]*=.*", Pattern.DOTALL);

  /** In the middle of a word that is more than an assignment. */
  private static final Pattern INNER =
      Pattern.compile(
          "([A-Za-z_][A-Za-z0-9_.-]{0,199}+)=(?:\\\\?\"[^\"]*+\"?|'[^']*+'?|[^\\s\"';&|)]++)");

  /** No real name is longer, and the stack of the pattern grows with it. */
  private static final int MOST_NAME = 200;

  private Secrets() {}

  /** Whether the value of a variable or flag of this name is a secret. */
  public static boolean isSecret(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (upper.length() > MOST_NAME) {
      return SECRET.matcher(upper).find();
    }
    return SECRET.matcher(HARMLESS.matcher(upper).replaceAll("")).find();
  }

  /** The variables in their order, secrets redacted. */
  public static Map<String, String> environment(Map<String, String> variables) {
    Map<String, String> shown = new LinkedHashMap<>();
    variables.forEach((name, value) -> shown.put(name, isSecret(name) ? REDACTED : value));
    return shown;
  }

  /**
   * Words of a command line with the secrets redacted: all words that follow a flag named like a
   * secret up to the next flag, and the value of {@code --flag=value} and {@code NAME=value}.
   */
  public static List<String> arguments(List<String> words) {
    List<String> shown = new ArrayList<>(words.size());
    boolean secret = false;
    boolean first = false;
    for (String word : words) {
      boolean flag = first ? word.startsWith("--") : isFlag(word);
      if (secret && !flag) {
        shown.add(REDACTED);
        first = false;
        continue;
      }
      shown.add(word(word));
      secret = isFlag(word) && word.indexOf('=') < 0 && isSecret(word);
      first = secret;
    }
    return shown;
  }

  /**
   * Lines of shell text with the secrets redacted: values of assignments and of flags named like
   * secrets. The text is read as words and quotes only; what it would do is not looked at.
   */
  public static String shellText(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    boolean secret = false;
    int at = 0;
    while (at < text.length()) {
      int end = wordEnd(text, at);
      if (end == at) {
        char separator = text.charAt(at++);
        shown.append(separator);
        secret &= separator == ' ' || separator == '\t';
        continue;
      }
      String word = text.substring(at, end);
      boolean value = secret && !word.startsWith("--");
      shown.append(value ? REDACTED : word(word));
      secret = !value && isFlag(word) && word.indexOf('=') < 0 && isSecret(word);
      at = end;
    }
    return shown.toString();
  }

  /** Secrets may stand behind another name, {@code --env=A_KEY=x}, or in text for a shell. */
  private static String word(String word) {
    int equals = word.indexOf('=');
    if (equals < 0) {
      return word;
    }
    char quote = word.charAt(0);
    if ((quote == '\'' || quote == '"') && word.indexOf(quote, 1) == word.length() - 1) {
      String inner = word.substring(1, word.length() - 1);
      if (ASSIGNMENT.matcher(inner).matches()) {
        return quote + word(inner) + quote;
      }
    }
    String name = word.substring(0, equals);
    if (!ASSIGNMENT.matcher(word).matches()) {
      return INNER.matcher(word).replaceAll(found -> inner(found.group(), found.group(1)));
    }
    return name + "=" + (isSecret(name) ? REDACTED : word(word.substring(equals + 1)));
  }

  private static String inner(String whole, String name) {
    return Matcher.quoteReplacement(isSecret(name) ? name + "=" + REDACTED : whole);
  }

  /** A number such as {@code -1} is a value. */
  private static boolean isFlag(String word) {
    return word.length() > 1
        && word.charAt(0) == '-'
        && !Character.isDigit(word.charAt(1))
        && word.charAt(1) != '.';
  }

  /** Where the shell word that starts at {@code from} ends; {@code from} for a separator. */
  private static int wordEnd(String text, int from) {
    int at = from;
    char quote = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\\' && quote != '\'') {
        at++;
      } else if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (" \t\n;&|()<>".indexOf(c) >= 0) {
        break;
      }
      at++;
    }
    return Math.min(at, text.length());
  }
}
