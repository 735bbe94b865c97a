package dev.eagle3.plan;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id of a run: {@code dddddddd-dddddd-xxxx}, UTC date and time of the launch and four
 * hexadecimal digits against collisions. Ids sort by time.
 *
 * @param text the id; anything of another form is refused, so an id is always a harmless file name
 */
public record RunId(String text) implements Comparable<RunId> {
  private static final Pattern FORM = Pattern.compile("[0-9]{8}-[0-9]{6}-[0-9a-f]{4}");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Refuses another form. */
  public RunId {
    if (!isRunId(text)) {
      throw new IllegalArgumentException("not a run id: " + text);
    }
  }

  /** Whether the text has the form of an id. */
  public static boolean isRunId(String text) {
    return FORM.matcher(text).matches();
  }

  /** The id of a run launched at {@code time}; the low 16 bits of {@code salt} tell twins apart. */
  public static RunId of(Instant time, int salt) {
    return new RunId(TIME.format(time) + String.format(Locale.ROOT, "-%04x", salt & 0xffff));
  }

  /** When it was launched, by the clock of who launched it; empty for an id that is no time. */
  public Optional<Instant> time() {
    try {
      return Optional.of(TIME.parse(text.substring(0, text.length() - 5), Instant::from));
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  // As they would be made, but compiled: those are put together anew in every process, which takes
  // longer than many a command.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RunId id && text.equals(id.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public int compareTo(RunId other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
