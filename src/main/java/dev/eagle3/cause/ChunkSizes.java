package dev.eagle3.cause;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;

/** How long the chunks of a chunked prefill may have been. */
final class ChunkSizes {
  /** Shorter chunks than this are a coincidence of small numbers. */
  private static final long FEWEST_TOKENS = 16;

  /** Powers of two from here on are what people and defaults say. */
  static final long USUAL_FROM = 256;

  private static final long USUAL_TO = 1L << 18;
  private static final int MOST_CHUNKS = 64;

  private ChunkSizes() {}

  /**
   * The run's own size, usual ones (largest first: with the fewest chunks), and sizes that {@code
   * multiple}, which is a multiple of the size for all wrong samples, gives.
   */
  static List<Long> of(
      CountedSamples samples, RunFacts run, ToLongFunction<CountedSample> multiple) {
    Set<Long> sizes = new LinkedHashSet<>();
    run.chunkTokens().ifPresent(sizes::add);
    for (long size = USUAL_TO; size >= USUAL_FROM; size /= 2) {
      sizes.add(size);
    }
    samples.mostCommon(multiple).ifPresent(sizes::add);
    long divisor = samples.divisor(multiple);
    for (int chunks = 1; chunks <= MOST_CHUNKS; chunks++) {
      if (divisor % chunks == 0) {
        sizes.add(divisor / chunks);
      }
    }
    sizes.removeIf(size -> size < FEWEST_TOKENS);
    return List.copyOf(sizes);
  }

  /** Whether the size is the run's own, or where that is unknown a usual one. */
  static boolean isSettled(long size, RunFacts run) {
    return run.chunkTokens().isPresent()
        ? run.chunkTokens().getAsLong() == size
        : size >= USUAL_FROM && Long.bitCount(size) == 1;
  }

  /** What the run says of the size. */
  static List<String> facts(long size, RunFacts run) {
    OptionalLong known = run.chunkTokens();
    if (known.isEmpty()) {
      return List.of();
    }
    return List.of(
        known.getAsLong() == size
            ? "--max-num-batched-tokens " + size + " of " + run.source()
            : "chunks of "
                + size
                + " by these files, though --max-num-batched-tokens of "
                + run.source()
                + " is "
                + known.getAsLong());
  }
}
