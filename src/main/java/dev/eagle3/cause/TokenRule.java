package dev.eagle3.cause;

import java.util.List;

/** How one cause of wrong token counts is recognised. */
interface TokenRule {
  /** What is said of the cause. */
  CauseText text();

  /**
   * The ways in which it may have happened, likeliest first; a few, as each is tried on each file.
   *
   * @param samples at least one of them wrong
   */
  List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms);
}
