package dev.eagle3.launchline;

import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import java.util.regex.Pattern;

/**
 * What became of a part of a launch line that did not simply become a key of the profile.
 *
 * @param kind what became of it
 * @param what the part, secrets redacted
 * @param why the reason, or what does it instead; may be empty
 */
public record LineNote(Kind kind, String what, String why) {
  private static final int MOST_CHARACTERS = 200;

  /** Its flag has no name that says so. */
  private static final Pattern PASSWORD =
      Pattern.compile("(sshpass\\s+-p\\s*)('[^']*'|\"[^\"]*\"|\\S+)");

  /** What became of the part. */
  public enum Kind {
    /** It is in {@code args}. */
    ARGUMENT("kept as an argument of the script"),
    /** It is in {@code setup}. */
    SETUP("kept in setup"),
    /** It is in {@code wrap}. */
    WRAP("kept in wrap"),
    /** It became something else. */
    TRANSLATED("translated"),
    /** It is not in the profile. */
    LEFT_OUT("left out"),
    /** A key has no value, and the profile is not usable before it has one. */
    FILL_IN("to fill in");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }
  }

  static LineNote of(Kind kind, String source, String why) {
    String shown = PASSWORD.matcher(Secrets.shellText(source)).replaceAll("$1" + Secrets.REDACTED);
    return new LineNote(kind, Printable.line(shown.strip(), MOST_CHARACTERS), why);
  }

  /** One line. */
  public String text() {
    return kind.words() + ": " + what + (why.isEmpty() ? "" : ": " + why);
  }
}
