package dev.eagle3.run;

import java.util.List;

/**
 * A run that was launched.
 *
 * @param folder its folder on the host
 * @param pid process id of its wrapper
 * @param notes what is worth saying about the launch, a sentence each; names of files in it come
 *     from the host: escape before printing
 */
public record Launched(RunFolder folder, long pid, List<String> notes) {
  /** Copies the list. */
  public Launched {
    notes = List.copyOf(notes);
  }
}
