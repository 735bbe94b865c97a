package dev.eagle3.cause;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * {@code tokens.split-over-ranks}: each tensor-parallel rank held {@code ⌈n / tp⌉} rows, as under
 * sequence parallelism, and one rank's were saved.
 */
final class RankSplit implements TokenRule {
  private static final List<Integer> USUAL = List.of(8, 4, 2, 16);
  private static final int MOST_RANKS = 64;

  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.split-over-ranks",
        "the tokens were split over the tensor-parallel ranks, and only the rows of one rank were"
            + " saved. Those of the other ranks are gone",
        "",
        "gather the rows of all ranks before they are saved, or run vLLM without sequence"
            + " parallelism (pass_config enable_sequence_parallelism, in newer versions enable_sp,"
            + " of --compilation-config). Then extract again");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    OptionalInt known = symptoms.run().tpSize();
    Set<Integer> sizes = new LinkedHashSet<>();
    known.ifPresent(sizes::add);
    sizes.addAll(USUAL);
    for (int size = 2; size <= MOST_RANKS; size++) {
      sizes.add(size);
    }
    sizes.remove(1);
    List<TokenGuess> guesses = new ArrayList<>();
    for (int size : sizes) {
      boolean settled = known.isPresent() ? known.getAsInt() == size : USUAL.contains(size);
      guesses.add(guess(size, settled, symptoms.run()));
    }
    return guesses;
  }

  private static TokenGuess guess(int size, boolean settled, RunFacts run) {
    List<String> facts = new ArrayList<>();
    if (run.tpSize().isEmpty()) {
      facts.add("no run says the tensor parallel size: " + size + " is a guess from these files");
    }
    run.tpSize()
        .ifPresent(
            said ->
                facts.add(
                    said == size
                        ? "tensor parallel size " + said + " of " + run.source()
                        : size
                            + " ranks by these files, though the tensor parallel size of "
                            + run.source()
                            + " is "
                            + said));
    return new TokenGuess(
        "T = ⌈n / " + size + "⌉",
        settled,
        sample -> sample.rows() == share(sample.tokens(), size),
        sample -> sample.rows() + " = ⌈" + sample.tokens() + " / " + size + "⌉",
        facts);
  }

  private static long share(long tokens, int size) {
    return (tokens + size - 1) / size;
  }
}
