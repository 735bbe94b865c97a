package dev.eagle3.launchline;

import dev.eagle3.outcome.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes a profile as YAML that our own reader takes, whatever the values hold. */
final class ProfileTextWriter {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_/][A-Za-z0-9_./@+%=-]*");
  private static final Pattern NUMBER =
      Pattern.compile("0|[1-9][0-9]{0,9}|[0-9]{1,9}\\.[0-9]{1,9}");
  private static final Pattern FLAG = Pattern.compile("--?[A-Za-z][A-Za-z0-9_-]*");
  private static final Set<String> MEANS_MORE =
      Set.of("null", "true", "false", "yes", "no", "on", "off", "y", "n");
  private static final int MOST_COLUMNS = 96;

  private ProfileTextWriter() {}

  /** The text: comments, then the entries. */
  static String write(List<String> head, List<ProfileEntry> entries) {
    StringBuilder text = new StringBuilder();
    head.forEach(line -> text.append(comment(line)));
    boolean apart = !head.isEmpty();
    for (ProfileEntry entry : entries) {
      boolean block = !entry.comments().isEmpty() || entry.value() instanceof ProfileValue.Pairs;
      if ((apart || block) && text.length() > 0) {
        text.append('\n');
      }
      apart = block;
      entry.comments().forEach(line -> text.append(comment(line)));
      append(text, entry.key(), entry.value(), "");
    }
    return text.toString();
  }

  private static String comment(String line) {
    return line.isEmpty() ? "#\n" : "# " + Printable.line(line) + "\n";
  }

  private static void append(StringBuilder text, String key, ProfileValue value, String indent) {
    text.append(indent).append(scalar(key)).append(':');
    if (value instanceof ProfileValue.Nothing) {
      text.append(" null\n");
    } else if (value instanceof ProfileValue.Text one) {
      text.append(' ').append(scalar(one.text())).append('\n');
    } else if (value instanceof ProfileValue.Items list) {
      appendItems(text, list.items(), indent);
    } else if (value instanceof ProfileValue.Pairs map) {
      text.append(map.pairs().isEmpty() ? " {}\n" : "\n");
      map.pairs().forEach((name, inner) -> append(text, name, inner, indent + "  "));
    }
  }

  private static void appendItems(StringBuilder text, List<String> items, String indent) {
    String line =
        items.stream().map(ProfileTextWriter::scalar).collect(Collectors.joining(", ", "[", "]"));
    if (line.length() <= MOST_COLUMNS - 20) {
      text.append(' ').append(line).append('\n');
      return;
    }
    text.append('\n');
    items.forEach(item -> text.append(indent).append("  - ").append(scalar(item)).append('\n'));
  }

  /** A text in the plainest form that reads back as itself. */
  static String scalar(String text) {
    boolean plain =
        (PLAIN.matcher(text).matches() && !MEANS_MORE.contains(text.toLowerCase(Locale.ROOT)))
            || NUMBER.matcher(text).matches()
            || FLAG.matcher(text).matches();
    if (plain) {
      return text;
    }
    if (text.equals(Printable.line(text))) {
      return "'" + text.replace("'", "''") + "'";
    }
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints().forEach(point -> quoted.append(escaped(point)));
    return quoted.append('"').toString();
  }

  private static String escaped(int point) {
    String character = Character.toString(point);
    return switch (point) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\t' -> "\\t";
      case '\r' -> "\\r";
      default ->
          character.equals(Printable.line(character))
              ? character
              : point > 0xffff
                  ? String.format(Locale.ROOT, "\\U%08x", point)
                  : String.format(Locale.ROOT, "\\u%04x", point);
    };
  }
}
