package dev.eagle3.cause;

import dev.eagle3.expect.Sourced;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * {@code tokens.padded-to-graph-size}: rows were padded up to a size that a CUDA graph was captured
 * for, or to another fixed size, and saved with the padding.
 *
 * <p>vLLM captures graphs of 1, 2 and 4 tokens and of multiples of 8, in newer versions of
 * multiples of 16 from 256 on, up to 512 tokens unless told otherwise. Longer steps run without a
 * graph and are not padded.
 */
final class GraphPadding implements TokenRule {
  private static final long LARGE_STEPS_FROM = 256;

  /** Between sizes from there on, in older and newer versions. */
  static final List<Long> LARGE_STEPS = List.of(8L, 16L);

  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.padded-to-graph-size",
        "the rows were padded to a size that a CUDA graph was captured for, and saved with the"
            + " padding. Rows behind the tokens of a sample mean nothing",
        "",
        "cut the states to the number of scheduled tokens before they are saved, or run vLLM with"
            + " --enforce-eager, as speculators 0.3 and 0.4 do. These files can be mended: the first"
            + " n rows of each layer are the sample's");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    List<TokenGuess> guesses = new ArrayList<>();
    guesses.add(
        capped(
            "T = n rounded up to a graph size of vLLM (1, 2, 4, multiples of 8)",
            tokens -> graphSize(tokens, 8),
            samples));
    guesses.add(
        capped(
            "T = n rounded up to a graph size of vLLM (multiples of 8, from 256 on of 16)",
            tokens -> graphSize(tokens, 16),
            samples));
    for (long size = 16; size <= 256; size *= 2) {
      long step = size;
      guesses.add(
          capped(
              "T = n rounded up to a multiple of " + step,
              tokens -> roundedUp(tokens, step),
              samples));
    }
    guesses.add(
        capped("T = n rounded up to a power of two", GraphPadding::powerOfTwoFrom, samples));
    oneSize(samples, symptoms, guesses);
    behindBatch(samples, symptoms, guesses);
    return guesses;
  }

  /** Longer samples than the largest size that was padded to are not padded. */
  private static TokenGuess capped(String inShort, LongUnaryOperator size, CountedSamples samples) {
    long largest =
        samples.wrong().stream()
            .filter(sample -> sample.rows() == size.applyAsLong(sample.tokens()))
            .mapToLong(CountedSample::rows)
            .max()
            .orElse(0);
    return new TokenGuess(
        inShort,
        true,
        sample ->
            sample.tokens() > largest
                ? sample.isWhole()
                : sample.rows() == size.applyAsLong(sample.tokens()),
        GraphPadding::arithmetic,
        List.of());
  }

  private static void oneSize(CountedSamples samples, Symptoms symptoms, List<TokenGuess> guesses) {
    OptionalLong common = samples.mostCommon(CountedSample::rows);
    long longest = samples.all().stream().mapToLong(CountedSample::tokens).max().orElse(0);
    if (common.isEmpty() || common.getAsLong() <= longest) {
      return;
    }
    long size = common.getAsLong();
    boolean isLimit =
        symptoms.expected().maxTokens().filter(most -> most.value() == size).isPresent();
    List<String> facts =
        isLimit ? List.of("the limit of tokens is " + size + " by " + source(symptoms)) : List.of();
    guesses.add(
        new TokenGuess(
            "T = " + size + " in every file",
            isLimit,
            sample -> sample.rows() == size,
            GraphPadding::arithmetic,
            facts));
  }

  /** The tokens of a batch are padded together, and its last sample has what was padded. */
  private static void behindBatch(
      CountedSamples samples, Symptoms symptoms, List<TokenGuess> guesses) {
    Optional<Sourced<Integer>> size = symptoms.expected().batchSize();
    if (size.isEmpty() || size.get().value() < 2) {
      return;
    }
    Map<CountedSample, BatchPlace> places = BatchPlace.of(samples, size.get().value());
    List<String> facts = List.of("batch size " + size.get().value() + " of " + size.get().source());
    for (long largeStep : LARGE_STEPS) {
      long largest =
          samples.wrong().stream()
              .filter(sample -> isBehindBatch(sample, placeOf(sample, places), largeStep))
              .mapToLong(sample -> placeOf(sample, places).together())
              .max()
              .orElse(0);
      guesses.add(
          new TokenGuess(
              "the tokens of a batch together are rounded up to a graph size of vLLM",
              true,
              sample -> {
                BatchPlace place = placeOf(sample, places);
                return (!place.last() || place.together() > largest)
                    ? sample.isWhole()
                    : isBehindBatch(sample, place, largeStep);
              },
              sample ->
                  arithmetic(sample)
                      + ", where the "
                      + placeOf(sample, places).together()
                      + " of its batch end",
              facts));
    }
  }

  private static BatchPlace placeOf(CountedSample sample, Map<CountedSample, BatchPlace> places) {
    return places.getOrDefault(sample, BatchPlace.UNKNOWN);
  }

  private static boolean isBehindBatch(CountedSample sample, BatchPlace place, long largeStep) {
    return place.last()
        && sample.rows() - sample.tokens()
            == graphSize(place.together(), largeStep) - place.together();
  }

  private static String source(Symptoms symptoms) {
    return symptoms.expected().maxTokens().orElseThrow().source();
  }

  private static String arithmetic(CountedSample sample) {
    return sample.rows()
        + " for "
        + sample.tokens()
        + ": "
        + (sample.rows() - sample.tokens())
        + " more than there are tokens";
  }

  /** What a step of so many tokens is padded to, if a graph is that large. */
  static long graphSize(long tokens, long largeStep) {
    if (tokens <= 4) {
      return powerOfTwoFrom(tokens);
    }
    return roundedUp(tokens, tokens > LARGE_STEPS_FROM ? largeStep : 8);
  }

  private static long roundedUp(long tokens, long step) {
    return (tokens + step - 1) / step * step;
  }

  private static long powerOfTwoFrom(long tokens) {
    long below = Long.highestOneBit(tokens);
    return below == tokens ? tokens : 2 * below;
  }
}
