package dev.eagle3.cause;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code tokens.last-chunk-only}: vLLM takes a prompt that is longer than a step in chunks; each
 * chunk's states replaced those of the one before, and the last stayed.
 */
final class LastChunk implements TokenRule {
  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.last-chunk-only",
        "the prompt was computed in chunks, and only the states of the last chunk were saved. The"
            + " rows of the chunks before it are gone",
        "",
        "run vLLM with --no-enable-chunked-prefill (enable_chunked_prefill=False), or with"
            + " --max-num-batched-tokens of at least the longest sample times the batch size; or"
            + " collect the chunks of a request before saving. Then extract again");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    RunFacts run = symptoms.run();
    List<TokenGuess> guesses = new ArrayList<>();
    ChunkSizes.of(samples, run, sample -> sample.tokens() - sample.rows())
        .forEach(size -> guesses.add(guess(size, run)));
    guesses.addAll(SharedChunks.guesses(samples, symptoms, "the last part", SharedChunks::isLast));
    return guesses;
  }

  private static TokenGuess guess(long size, RunFacts run) {
    boolean settled = ChunkSizes.isSettled(size, run);
    return new TokenGuess(
        "T = n − k × " + size,
        settled,
        sample -> fits(sample, size, settled),
        sample -> {
          long chunks = (sample.tokens() - sample.rows()) / size;
          return sample.rows()
              + " = "
              + sample.tokens()
              + " − "
              + (chunks == 1 ? "" : chunks + " × ")
              + size;
        },
        ChunkSizes.facts(size, run));
  }

  /** A chunk of a fitted size has to look like one: the last is no longer than the others. */
  private static boolean fits(CountedSample sample, long size, boolean settled) {
    if (sample.tokens() <= size || sample.isWhole()) {
      return sample.tokens() <= size && sample.isWhole();
    }
    long missing = sample.tokens() - sample.rows();
    return sample.rows() > 0
        && missing > 0
        && missing % size == 0
        && (settled || sample.rows() <= size);
  }
}
