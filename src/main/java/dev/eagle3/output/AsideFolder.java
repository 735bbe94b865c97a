package dev.eagle3.output;

import dev.eagle3.plan.RunId;

/**
 * A folder beside an output folder that was made for a run, as it is now.
 *
 * @param run the run
 * @param kind what is in it
 * @param path where it is
 * @param target the output folder
 * @param removing whether it is deleted in part: an earlier removal was interrupted
 * @param amount how much is in it
 * @param sinceSeconds when it was made, in seconds since 1970; 0 when that was not noted
 */
public record AsideFolder(
    RunId run,
    Kind kind,
    String path,
    String target,
    boolean removing,
    Amount amount,
    long sinceSeconds) {

  /** What is in such a folder. */
  public enum Kind {
    /** What stood in the output folder before the run. */
    BEFORE,
    /** What the run wrote, before it was undone. */
    UNDONE,
    /** Files that were no good when the run went on in the folder. */
    QUARANTINE;

    /** It in words. */
    public String says() {
      return switch (this) {
        case BEFORE -> "output from before the run";
        case UNDONE -> "what the run wrote, undone";
        case QUARANTINE -> "bad files";
      };
    }
  }
}
