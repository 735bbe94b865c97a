package dev.eagle3.log;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;

/**
 * A pattern that is looked for in every line of a log, and found in few: a search for a text that
 * it needs goes first.
 *
 * @param pattern the pattern
 * @param texts texts of which it needs one; empty when that is not known
 * @param isAtBeginning it, or an alternative of it, is found only where a text begins
 */
record LinePattern(Pattern pattern, List<String> texts, boolean isAtBeginning) {
  private static final Pattern BEGINNING = Pattern.compile("(?:^|\\|)\\^");

  static LinePattern of(Pattern pattern) {
    String text = pattern.pattern();
    return new LinePattern(pattern, RequiredText.of(text), BEGINNING.matcher(text).find());
  }

  /** What it finds in a line. */
  Optional<Matcher> find(String line) {
    if (!mayBeIn(line)) {
      return Optional.empty();
    }
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Optional.of(matcher) : Optional.empty();
  }

  private boolean mayBeIn(String line) {
    if (texts.isEmpty()) {
      return true;
    }
    for (String text : texts) {
      if (line.contains(text)) {
        return true;
      }
    }
    return false;
  }
}
