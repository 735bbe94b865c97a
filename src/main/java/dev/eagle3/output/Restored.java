package dev.eagle3.output;

import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.util.Optional;

/**
 * Previous output that is back in its place.
 *
 * @param run the run that it had been set aside for
 * @param folder where it is again
 * @param from where it was
 * @param undone where the files are that the run had written; empty where there were none
 */
public record Restored(RunId run, String folder, String from, Optional<String> undone) {
  /** It in one line. */
  public String says() {
    return "previous output is in "
        + Printable.line(folder)
        + " again"
        + undone.map(path -> "; what the run wrote is now " + Printable.line(path)).orElse("");
  }
}
