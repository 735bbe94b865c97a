package dev.eagle3.extractor;

import com.google.re2j.Matcher;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sentence about a line: {@code $1} to {@code $9} stand for the groups of the pattern that found
 * it, {@code $0} for all of what it found. What stands in braces is left out when one of its groups
 * found nothing: {@code GPU $1 ran out of memory{; process $2 holds $3 of it}}.
 */
public final class Sentence {
  private static final int MOST_GROUP_CHARACTERS = 200;

  private final String template;
  private final Matcher found;
  private final StringBuilder text = new StringBuilder();

  private Sentence(String template, Matcher found) {
    this.template = template;
    this.found = found;
  }

  /**
   * The sentence about what a matcher has found. What groups hold is text of the log: it is cut,
   * and not looked at again, but not made printable.
   */
  public static String fill(String template, Matcher found) {
    return template.indexOf('$') < 0 && template.indexOf('{') < 0
        ? template
        : new Sentence(template, found).filled();
  }

  /** What is wrong with a template for a pattern of so many groups; empty for nothing. */
  static Optional<String> problem(String template, int groups) {
    boolean inside = false;
    for (int at = 0; at < template.length(); at++) {
      char character = template.charAt(at);
      int group = groupAt(template, at);
      if (group > groups) {
        return Optional.of("has $" + group + ", but the pattern has " + groups + " groups");
      }
      if ((character == '{' && inside) || (character == '}' && !inside)) {
        return Optional.of("has a " + character + " too many");
      }
      inside = character == '{' || (inside && character != '}');
    }
    return inside ? Optional.of("has a { without a }") : Optional.empty();
  }

  private String filled() {
    int at = 0;
    while (at < template.length()) {
      int end = template.charAt(at) == '{' ? template.indexOf('}', at) : -1;
      if (end > at) {
        int before = text.length();
        if (!part(at + 1, end)) {
          text.setLength(before);
        }
        at = end + 1;
      } else {
        int next = template.indexOf('{', at + 1);
        next = next < 0 ? template.length() : next;
        part(at, next);
        at = next;
      }
    }
    return text.toString();
  }

  /** Whether all groups in the part found something. */
  private boolean part(int from, int to) {
    boolean whole = true;
    for (int at = from; at < to; at++) {
      int group = at + 1 < to ? groupAt(template, at) : -1;
      if (group < 0 || group > found.groupCount()) {
        text.append(template.charAt(at));
      } else {
        String value = found.group(group);
        whole &= value != null && !value.isEmpty();
        text.append(cut(value));
        at++;
      }
    }
    return whole;
  }

  private static int groupAt(String template, int at) {
    return template.charAt(at) == '$' && at + 1 < template.length()
        ? Character.digit(template.charAt(at + 1), 10)
        : -1;
  }

  private static String cut(@Nullable String group) {
    if (group == null) {
      return "";
    }
    return group.length() > MOST_GROUP_CHARACTERS
        ? group.substring(0, MOST_GROUP_CHARACTERS) + "…"
        : group;
  }
}
