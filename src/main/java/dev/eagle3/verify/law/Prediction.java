package dev.eagle3.verify.law;

import org.jspecify.annotations.Nullable;

/**
 * What the states of a sample predict.
 *
 * @param sample whose states they are
 * @param kind what was found
 * @param rows how many rows were used
 * @param score which part of the tokens in play its own next token outranks, on average
 * @param owner the sample whose tokens are predicted; null when none are
 * @param shift how many rows later the states belong; 0 for none
 * @param ownerScore the score of the owner's tokens
 * @param odds natural logarithm of how much likelier those are than the sample's own; 0 for own
 */
record Prediction(
    LawSample sample,
    Kind kind,
    int rows,
    double score,
    @Nullable LawSample owner,
    int shift,
    double ownerScore,
    double odds) {

  /** Which tokens are predicted. */
  enum Kind {
    /** Its own, better than all others. */
    OWN,
    /** Those of another sample. */
    OTHER,
    /** Its own, some rows away. */
    SHIFTED,
    /** Nobody's. */
    NOTHING,
    /** Too few rows to tell. */
    TOO_FEW,
    /** Its own no clearer than others, others no clearer than its own. */
    UNCLEAR
  }
}
