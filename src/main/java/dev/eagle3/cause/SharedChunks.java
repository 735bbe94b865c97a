package dev.eagle3.cause;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chunks that the prompts of a batch share: in one step vLLM takes no more than so many tokens of
 * all requests together, first come, first served. So the batch as one row of tokens is cut at each
 * multiple of the chunk, wherever in a prompt that is.
 */
final class SharedChunks {
  /** Of more samples, batches are not guessed. */
  private static final int MOST_SAMPLES_TO_GUESS = 10_000;

  /** Sizes of batches that are tried where no run says one. */
  private static final List<Long> USUAL_BATCHES = List.of(2L, 4L, 8L, 16L, 32L, 64L);

  private SharedChunks() {}

  /** Which part of a prompt was kept. */
  @FunctionalInterface
  interface Kept {
    /**
     * Whether so many rows are that part.
     *
     * @param start of the prompt in the row of tokens of its batch
     * @param end its end there
     * @param chunk multiples of this are where it was cut
     */
    boolean is(long rows, long start, long end, long chunk);
  }

  /** Only what stands behind the last cut. */
  static boolean isLast(long rows, long start, long end, long chunk) {
    return rows == end - Math.max(start, (end - 1) / chunk * chunk);
  }

  /** Only what stands in front of the first cut, or of the last. */
  static boolean isFirst(long rows, long start, long end, long chunk) {
    long first = Math.min(end, (start / chunk + 1) * chunk);
    long last = (end - 1) / chunk * chunk;
    return rows == first - start || rows == (last > start ? last : end) - start;
  }

  /** The guesses: usual chunks and that of the run, for batches of the run's size or usual ones. */
  static List<TokenGuess> guesses(
      CountedSamples samples, Symptoms symptoms, String which, Kept kept) {
    boolean known = symptoms.expected().batchSize().isPresent();
    if (!known && samples.all().size() > MOST_SAMPLES_TO_GUESS) {
      return List.of();
    }
    List<Long> batches =
        known
            ? List.of(symptoms.expected().batchSize().orElseThrow().value().longValue())
            : USUAL_BATCHES;
    List<TokenGuess> guesses = new ArrayList<>();
    for (long batch : batches) {
      if (batch < 2) {
        continue;
      }
      Map<CountedSample, BatchPlace> places = BatchPlace.of(samples, batch);
      long most = places.values().stream().mapToLong(BatchPlace::together).max().orElse(0);
      for (long chunk : chunks(symptoms.run(), most)) {
        guesses.add(guess(places, batch, chunk, symptoms, which, kept));
      }
    }
    return guesses;
  }

  private static Set<Long> chunks(RunFacts run, long most) {
    Set<Long> chunks = new TreeSet<>();
    if (run.chunkTokens().isPresent()) {
      chunks.add(run.chunkTokens().getAsLong());
    } else {
      for (long size = ChunkSizes.USUAL_FROM; size < most; size *= 2) {
        chunks.add(size);
      }
    }
    return chunks;
  }

  private static TokenGuess guess(
      Map<CountedSample, BatchPlace> places,
      long batch,
      long chunk,
      Symptoms symptoms,
      String which,
      Kept kept) {
    List<String> facts = new ArrayList<>(ChunkSizes.facts(chunk, symptoms.run()));
    facts.add(
        symptoms
            .expected()
            .batchSize()
            .map(size -> "batch size " + size.value() + " of " + size.source())
            .orElse("batches of " + batch + " by these files"));
    return new TokenGuess(
        "T = "
            + which
            + " of a prompt, where the tokens of a batch are cut at multiples of "
            + chunk,
        symptoms.expected().batchSize().isPresent(),
        sample -> {
          BatchPlace place = places.getOrDefault(sample, BatchPlace.UNKNOWN);
          return !place.equals(BatchPlace.UNKNOWN)
              && kept.is(sample.rows(), place.before(), place.before() + sample.tokens(), chunk);
        },
        sample -> arithmetic(sample, places.getOrDefault(sample, BatchPlace.UNKNOWN), chunk),
        facts);
  }

  private static String arithmetic(CountedSample sample, BatchPlace place, long chunk) {
    return String.format(
        Locale.ROOT,
        "of tokens %d to %d of its batch, which were cut at %d",
        place.before(),
        place.before() + sample.tokens(),
        (place.before() / chunk + 1) * chunk);
  }
}
