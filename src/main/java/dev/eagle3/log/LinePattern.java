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
 */
record LinePattern(Pattern pattern, List<String> texts) {
  private static final Pattern BEGINNING = Pattern.compile("(?:^|\\|)\\^");

  static LinePattern of(Pattern pattern) {
    return new LinePattern(pattern, RequiredText.of(pattern.pattern()));
  }

  /** What it finds in a line. */
  Optional<Matcher> find(String line) {
    if (!mayBeIn(line)) {
      return Optional.empty();
    }
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Optional.of(matcher) : Optional.empty();
  }

  /** It, or an alternative of it, is found only where a text begins. */
  boolean isAtBeginning() {
    return BEGINNING.matcher(pattern.pattern()).find();
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
