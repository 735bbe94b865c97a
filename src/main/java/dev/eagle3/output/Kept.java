package dev.eagle3.output;

import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.util.Optional;

/**
 * An output folder in which a run goes on.
 *
 * @param run the run
 * @param folder the folder; where it is a link, what that leads to
 * @param quarantine where bad files are now; empty when none were taken out
 * @param files how many are there
 */
public record Kept(RunId run, String folder, Optional<String> quarantine, long files) {
  /** It in one line. */
  public String says() {
    String at = Printable.line(folder);
    return quarantine
        .map(
            place ->
                files
                    + (files == 1 ? " bad file of " : " bad files of ")
                    + at
                    + (files == 1 ? " is now in " : " are now in ")
                    + Printable.line(place))
        .orElse("what stands in " + at + " stays");
  }
}
