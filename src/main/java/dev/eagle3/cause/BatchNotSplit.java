package dev.eagle3.cause;

import dev.eagle3.expect.Sourced;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code set.batch-not-split}: every file of a batch holds the rows of the whole batch. Batches are
 * neighbours whose tokens add up to the rows that each of them has, so their size need not be
 * known.
 */
final class BatchNotSplit implements TokenRule {
  @Override
  public CauseText text() {
    return new CauseText(
        "set.batch-not-split",
        "the states of a batch were not split into its samples, so every file holds the rows of the"
            + " whole batch. Which rows are a sample's own only the order of the batch tells",
        "",
        "cut the rows of each sample out of the batch (rows offset to offset + n, of every layer)"
            + " before saving; speculators 0.4 keeps the states of each request apart (pull request"
            + " 283). Until then --batch-size 1");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    Optional<Sourced<Integer>> size = symptoms.expected().batchSize();
    Map<CountedSample, String> sums = new HashMap<>();
    List<CountedSample> all = samples.all();
    int start = 0;
    long sum = 0;
    for (int next = 0; next < all.size(); next++) {
      if (next > start && !Neighbours.mayShareBatch(all.get(next - 1), all.get(next))) {
        start = next;
        sum = 0;
      }
      sum += all.get(next).tokens();
      while (sum > all.get(next).rows() && start < next) {
        sum -= all.get(start).tokens();
        start++;
      }
      if (sum == all.get(next).rows()) {
        List<CountedSample> batch = all.subList(start, next + 1);
        if (batch.size() > 1 && size.filter(most -> most.value() < batch.size()).isEmpty()) {
          String text = textOf(batch);
          batch.forEach(sample -> sums.put(sample, text));
        }
        start = next + 1;
        sum = 0;
      }
    }
    List<String> facts =
        size.map(said -> List.of("batch size " + said.value() + " of " + said.source()))
            .orElse(List.of());
    List<TokenGuess> guesses = new ArrayList<>();
    if (!sums.isEmpty()) {
      guesses.add(
          new TokenGuess(
              "T = the tokens of the batch together",
              true,
              sample -> sample.isWhole() || sums.containsKey(sample),
              sample -> sample.rows() + " = " + sums.get(sample),
              facts));
    }
    for (long largeStep : GraphPadding.LARGE_STEPS) {
      Map<CountedSample, String> padded = padded(all, size, largeStep);
      if (!padded.isEmpty()) {
        guesses.add(
            new TokenGuess(
                "T = the tokens of the batch together, rounded up to a graph size of vLLM",
                true,
                sample -> sample.isWhole() || padded.containsKey(sample),
                sample -> sample.rows() + " for " + padded.get(sample),
                facts));
      }
    }
    return guesses;
  }

  /**
   * Batches with the rows of a CUDA graph that their tokens fit in. A batch is what has equal rows
   * and follows on each other, all of it: with less its tokens would be too few for the graph.
   */
  private static Map<CountedSample, String> padded(
      List<CountedSample> all, Optional<Sourced<Integer>> size, long largeStep) {
    Map<CountedSample, String> texts = new HashMap<>();
    int start = 0;
    for (int next = 1; next <= all.size(); next++) {
      if (next < all.size() && Neighbours.mayShareBatch(all.get(next - 1), all.get(next))) {
        continue;
      }
      List<CountedSample> batch = all.subList(start, next);
      long together = batch.stream().mapToLong(CountedSample::tokens).sum();
      if (batch.size() > 1
          && GraphPadding.graphSize(together, largeStep) == batch.get(0).rows()
          && size.filter(most -> most.value() < batch.size()).isEmpty()) {
        String text = together + " = " + textOf(batch);
        batch.forEach(sample -> texts.put(sample, text));
      }
      start = next;
    }
    return texts;
  }

  private static String textOf(List<CountedSample> batch) {
    CountedSample first = batch.get(0);
    CountedSample last = batch.get(batch.size() - 1);
    if (batch.size() == 2) {
      return first.tokens()
          + " + "
          + last.tokens()
          + ", the tokens of "
          + first.fileName()
          + " and "
          + last.fileName();
    }
    return String.format(
        Locale.ROOT,
        "%d + … + %d, the tokens of %s to %s",
        first.tokens(),
        last.tokens(),
        first.fileName(),
        last.fileName());
  }
}
