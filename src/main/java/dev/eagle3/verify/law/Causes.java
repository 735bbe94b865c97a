package dev.eagle3.verify.law;

import dev.eagle3.outcome.Cause;
import java.util.Arrays;
import java.util.List;

/** The causes that the laws name. Each has a section in {@code docs/causes.md}. */
public enum Causes {
  /** States under the tokens of another sample. */
  SWAPPED(
      "law.states-swapped",
      "These files hold states of other samples: through the model's head they predict the tokens"
          + " of those, not their own. Replies or slices of a batch were put to the wrong samples.",
      "look at what puts replies and samples together: the order of requests, a buffer that is used"
          + " again before it is saved, a resumed run that counts anew; then extract these again"),

  /** States beside their tokens. */
  SHIFTED(
      "law.states-shifted",
      "The states are those of these samples, but some rows away from their tokens. Rows were cut"
          + " off or put in at the start of states or tokens only.",
      "look at what cuts tokens and states: a BOS token that only one of them has, ids that were"
          + " shifted for training, a slice that begins at 1"),

  /** States of nobody. */
  FOREIGN(
      "law.states-foreign",
      "The last layer predicts the tokens of no file. The states are of another model than the one"
          + " named by --model, of a layer far from its end, or damaged.",
      "name the model that the states come from; if it is, and its last layer was saved, extract"
          + " these again"),

  /** One state at several places. */
  COPIED(
      "law.rows-copied",
      "Rows are equal bit for bit though they follow different tokens, which no model computes."
          + " They were copied: a buffer was saved before its new content stood in it.",
      "copy the states (clone, or wait for the copy to the CPU) before the buffer is used again");

  private final String code;
  private final String says;
  private final String fix;

  Causes(String code, String says, String fix) {
    this.code = code;
    this.says = says;
    this.fix = fix;
  }

  Cause of(List<String> evidence, List<String> subjects) {
    return new Cause(code, says, evidence, "", fix, subjects);
  }

  /** The codes of all. */
  public static List<String> codes() {
    return Arrays.stream(values()).map(cause -> cause.code).toList();
  }
}
