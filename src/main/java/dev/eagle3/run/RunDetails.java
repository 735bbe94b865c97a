package dev.eagle3.run;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a person wants to know of a run beside its state.
 *
 * @param output its output folder on the host, links resolved; a text from the host
 * @param holdsOutput whether it holds the lock of that folder
 * @param logAgeSeconds how long ago its log was last written
 * @param samples how many tensor files it has saved; asked only where all of a run is asked
 * @param notes what was noted of it beside its log
 * @param setAside whether previous output was set aside for it, and not put back; asked only where
 *     all of a run is asked
 */
public record RunDetails(
    Optional<String> output,
    boolean holdsOutput,
    OptionalLong logAgeSeconds,
    OptionalLong samples,
    GuardNotes notes,
    boolean setAside) {

  /** Nothing is known. */
  public static final RunDetails UNKNOWN =
      new RunDetails(
          Optional.empty(),
          false,
          OptionalLong.empty(),
          OptionalLong.empty(),
          GuardNotes.NONE,
          false);

  private static final String BESIDE = ".eagle3-lock";

  /** The output folder that a lock folder belongs to. */
  static Optional<String> outputOf(String lock) {
    if (!lock.startsWith("/") || !lock.endsWith(BESIDE)) {
      return Optional.empty();
    }
    String output = lock.substring(0, lock.length() - BESIDE.length());
    output = output.endsWith("/") ? output.substring(0, output.length() - 1) : output;
    return output.isEmpty() ? Optional.empty() : Optional.of(output);
  }

  static RunDetails of(RunFacts facts) {
    OptionalLong written = facts.log().written();
    return new RunDetails(
        outputOf(facts.output().lock()),
        facts.output().held(),
        written.isEmpty()
            ? written
            : OptionalLong.of(Math.max(0, facts.here().now() - written.getAsLong())),
        facts.output().samples(),
        GuardNotesReader.read(facts.notes().guard(), facts.notes().end()),
        facts.notes().setAside());
  }

  /** Of a run of which only its output folder was asked, and why eagle3 ended it. */
  static RunDetails ofList(String lock, String end) {
    return new RunDetails(
        outputOf(lock),
        false,
        OptionalLong.empty(),
        OptionalLong.empty(),
        GuardNotesReader.read(List.of(), end),
        false);
  }
}
