package dev.eagle3.output;

import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Previous output that is back in its place.
 *
 * @param run the run that it had been set aside for
 * @param folder where it is again
 * @param from where it was; empty when nothing had been set aside for a run that was never
 *     launched, and its lock alone was given back
 * @param undone where the files are that the run had written; empty where there were none, or where
 *     they stay
 * @param files how many files came back from quarantine; empty when a whole folder came back
 * @param left how many files stay in quarantine, since their names are taken
 */
public record Restored(
    RunId run, String folder, String from, Optional<String> undone, OptionalLong files, long left) {
  /** It in one line. */
  public String says() {
    String at = Printable.line(folder);
    if (from.isEmpty()) {
      return "run "
          + run
          + " was never launched and had set nothing aside; its lock on "
          + at
          + " is given back";
    }
    if (files.isPresent()) {
      String stay =
          left == 0
              ? ""
              : "; "
                  + files(left)
                  + " of a name that is taken there by now stay in "
                  + Printable.line(from);
      return files(files.getAsLong()) + " came back from quarantine to " + at + stay;
    }
    return "previous output is in "
        + at
        + " again"
        + undone.map(path -> "; what the run wrote is now " + Printable.line(path)).orElse("");
  }

  private static String files(long count) {
    return count + (count == 1 ? " file" : " files");
  }
}
