package dev.eagle3.cause;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code tokens.first-chunk-only}: vLLM took a prompt in chunks, and what came after the first (or
 * the last of them) was not saved.
 */
final class FirstChunk implements TokenRule {
  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.first-chunk-only",
        "the prompt was computed in chunks, and its last rows were not saved: saving stopped at a"
            + " whole number of chunks. The rows of the other chunks are gone",
        "",
        "run vLLM with --no-enable-chunked-prefill (enable_chunked_prefill=False), or with"
            + " --max-num-batched-tokens of at least the longest sample times the batch size; or"
            + " save a request when all of its chunks are there. Then extract again");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    RunFacts run = symptoms.run();
    List<TokenGuess> guesses = new ArrayList<>();
    ChunkSizes.of(samples, run, CountedSample::rows).forEach(size -> guesses.add(guess(size, run)));
    guesses.addAll(
        SharedChunks.guesses(samples, symptoms, "the first part", SharedChunks::isFirst));
    return guesses;
  }

  private static TokenGuess guess(long size, RunFacts run) {
    return new TokenGuess(
        "T = k × " + size,
        ChunkSizes.isSettled(size, run),
        sample -> fits(sample, size),
        sample -> {
          long chunks = sample.rows() / size;
          String kept = chunks == 1 ? "the first " + size : chunks + " × " + size;
          return sample.rows() + " of " + sample.tokens() + ": " + kept;
        },
        ChunkSizes.facts(size, run));
  }

  /** The first chunk alone, or all but the last, which need not be whole. */
  private static boolean fits(CountedSample sample, long size) {
    if (sample.tokens() <= size) {
      return sample.isWhole();
    }
    long allButLast = (sample.tokens() - 1) / size * size;
    return sample.rows() == size || sample.rows() == allButLast;
  }
}
