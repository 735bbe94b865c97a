package dev.eagle3.outcome;

import java.util.List;

/**
 * The named reason behind findings. The code is the anchor in {@code docs/causes.md} and the {@code
 * --fault} of the demo.
 *
 * @param code {@code area.kebab-case}, for example {@code layers.reply-unwrapped}
 * @param says what happened, in two sentences at the most
 * @param evidence the facts of these very files or lines that show it
 * @param where file and line on the host where the fault sits, or empty when unknown
 * @param fix what to do about it
 * @param subjects the files (or other subjects) that it explains
 */
public record Cause(
    String code,
    String says,
    List<String> evidence,
    String where,
    String fix,
    List<String> subjects) {

  /** Copies the lists. */
  public Cause {
    evidence = List.copyOf(evidence);
    subjects = List.copyOf(subjects);
  }

  /** Whether nothing else explains the same; else it says "probably". */
  public boolean isSure() {
    return !says.startsWith("probably");
  }
}
