package dev.eagle3.cause;

import dev.eagle3.expect.Sourced;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code tokens.padded-to-batch}: the samples of a batch were padded to its longest, and saved with
 * the padding. Batches are neighbours with equal rows, one of which has as many tokens, so their
 * size need not be known.
 */
final class BatchPadding implements TokenRule {
  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.padded-to-batch",
        "the samples of a batch were padded to the longest of them, and saved with the padding. Rows"
            + " of padding mean nothing, and behind padding on the left the tokens stand elsewhere",
        "",
        "cut the rows of each sample by its attention mask before it is saved; until then"
            + " --batch-size 1. These files can be mended where padding is on the right: the first n"
            + " rows of each layer are the sample's");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    List<List<CountedSample>> batches = new ArrayList<>();
    List<CountedSample> batch = new ArrayList<>();
    for (CountedSample sample : samples.all()) {
      if (!batch.isEmpty() && !Neighbours.mayShareBatch(batch.get(batch.size() - 1), sample)) {
        batches.add(batch);
        batch = new ArrayList<>();
      }
      batch.add(sample);
    }
    batches.add(batch);
    Set<CountedSample> fitting = new HashSet<>();
    int largest = 0;
    for (List<CountedSample> rows : batches) {
      long longest = rows.stream().mapToLong(CountedSample::tokens).max().orElse(0);
      if (longest == rows.get(0).rows()) {
        fitting.addAll(rows);
        largest = Math.max(largest, rows.size());
      }
    }
    Optional<Sourced<Integer>> size = symptoms.expected().batchSize();
    if (size.isPresent() && size.get().value() == 1) {
      return List.of();
    }
    List<String> facts =
        size.map(said -> List.of("batch size " + said.value() + " of " + said.source()))
            .orElse(List.of());
    return List.of(
        new TokenGuess(
            "T = the longest n of the batch",
            true,
            fitting::contains,
            sample ->
                sample.rows()
                    + " for "
                    + sample.tokens()
                    + ": a neighbour with as many rows has "
                    + sample.rows()
                    + " tokens",
            facts));
  }
}
