package dev.eagle3.cause;

import java.util.List;

/** {@code tokens.last-token-only}: the one row that the next token is sampled from was saved. */
final class LastToken implements TokenRule {
  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.last-token-only",
        "only one row a sample was saved, that of the token which the next one is sampled from. The"
            + " states were taken after vLLM had picked these rows out of all",
        "",
        "capture in the forward of the decoder layers, where all tokens still are, and not what"
            + " goes into the logits (there logits_indices has picked one row a request). Then"
            + " extract again");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    return List.of(
        new TokenGuess(
            "T = 1",
            true,
            sample -> sample.rows() == 1,
            sample -> "1 row for " + sample.tokens() + " tokens",
            List.of()));
  }
}
