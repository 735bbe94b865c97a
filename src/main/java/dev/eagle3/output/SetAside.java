package dev.eagle3.output;

import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What became of the output folder before a run.
 *
 * @param run the run that it was made free for
 * @param folder the folder as the plan names it
 * @param target what it leads to; another path where the folder is a link
 * @param how what was done
 * @param aside where previous output is now; empty where there was none
 * @param bytes its size on disk; empty where counting took too long
 * @param entries how many files and folders stood in the folder
 */
public record SetAside(
    RunId run,
    String folder,
    String target,
    How how,
    Optional<String> aside,
    OptionalLong bytes,
    OptionalLong entries) {

  /** What was done with the folder. */
  public enum How {
    /** It was renamed, and a new empty one made. */
    RENAMED,
    /** It could not be renamed: its entries were moved into a folder inside it. */
    INSIDE,
    /** Previous output had been set aside for this run before. */
    ALREADY,
    /** It was not there, and was made. */
    CREATED,
    /** It was empty, and was left alone. */
    EMPTY
  }

  /** The path that previous output in {@code target} is renamed to, before a run. */
  public static String asideOf(String target, RunId run) {
    return target + ".before-" + run;
  }

  /** It in one line. */
  public String says() {
    String at = Printable.line(target);
    return switch (how) {
      case CREATED -> at + " is new";
      case EMPTY -> at + " is empty";
      case ALREADY -> "previous output is in " + place() + " already";
      case RENAMED, INSIDE -> "previous output is now " + place();
    };
  }

  private String place() {
    return Printable.line(aside.orElse(target)) + new Amount(bytes, entries).says();
  }
}
