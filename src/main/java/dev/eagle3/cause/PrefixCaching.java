package dev.eagle3.cause;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code tokens.prefix-cached}: vLLM found the beginning of a prompt in its cache, did not compute
 * it again, and so had no states of it. The cache holds blocks of 16 tokens or a multiple.
 */
final class PrefixCaching implements TokenRule {
  private static final long BLOCK_TOKENS = 16;

  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.prefix-cached",
        "vLLM had the beginning of these prompts in its prefix cache and did not compute it again,"
            + " so there were no states of it to save. The first rows are missing",
        "",
        "run vLLM with --no-enable-prefix-caching (enable_prefix_caching=False), as speculators 0.4"
            + " does. Then extract again: files that are whole may stay");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    List<String> facts = new ArrayList<>();
    CountedSample first = samples.all().get(0);
    if (first.isWhole()) {
      facts.add(first.fileName() + ", the first, is whole: nothing was in the cache before it");
    }
    return List.of(
        new TokenGuess(
            "n − T is a multiple of 16",
            true,
            PrefixCaching::fits,
            sample -> {
              long missing = sample.tokens() - sample.rows();
              return sample.tokens()
                  + " − "
                  + sample.rows()
                  + " = "
                  + missing
                  + " = "
                  + missing / BLOCK_TOKENS
                  + " × "
                  + BLOCK_TOKENS;
            },
            facts));
  }

  private static boolean fits(CountedSample sample) {
    return sample.rows() > 0
        && sample.rows() <= sample.tokens()
        && (sample.tokens() - sample.rows()) % BLOCK_TOKENS == 0;
  }
}
