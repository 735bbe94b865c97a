package dev.eagle3.cause;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import java.util.List;

/**
 * What can be said of why files are wrong.
 *
 * @param causes those that the files prove, most telling first
 * @param notes what explains some of the files, where nothing explains all
 */
public record Explanation(List<Cause> causes, List<Finding> notes) {
  /** Copies the lists. */
  public Explanation {
    causes = List.copyOf(causes);
    notes = List.copyOf(notes);
  }
}
