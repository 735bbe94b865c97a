package dev.eagle3.launchline;

import java.util.List;

/**
 * The profile that does what a launch line does.
 *
 * @param yaml its text
 * @param notes what became of the parts of the line that did not simply become a key, in order
 * @param isPrivate whether it holds values of variables, which others need not read
 */
public record LaunchProfile(String yaml, List<LineNote> notes, boolean isPrivate) {
  /** Copies the list. */
  public LaunchProfile {
    notes = List.copyOf(notes);
  }
}
