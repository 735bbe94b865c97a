package dev.eagle3.cause;

import java.util.List;

/**
 * {@code tokens.recomputed}: vLLM ran out of room for the KV cache, dropped a request and computed
 * it anew; its states were captured both times.
 */
final class Recomputation implements TokenRule {
  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.recomputed",
        "vLLM preempted requests and computed them anew, and the states of both times were saved."
            + " These files hold every row twice",
        "",
        "leave more room for the KV cache: a smaller --batch-size (vLLM: --max-num-seqs), or a"
            + " higher --gpu-memory-utilization; and drop what was captured of a request when it is"
            + " preempted. These files can be mended: the last n rows of each layer are the"
            + " sample's");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    return List.of(
        new TokenGuess(
            "T = 2 × n",
            true,
            sample -> sample.isWhole() || sample.rows() == 2 * sample.tokens(),
            sample -> sample.rows() + " = 2 × " + sample.tokens(),
            List.of()));
  }
}
