package dev.eagle3.cause;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Set;

/**
 * {@code tokens.generated-included}: states of tokens that the model generated stand behind those
 * of the prompt.
 */
final class GeneratedTokens implements TokenRule {
  private static final int FEW_LENGTHS = 3;

  /** Whether samples may have generated different numbers of tokens; fits much, proves little. */
  private final boolean anyNumber;

  private GeneratedTokens(boolean anyNumber) {
    this.anyNumber = anyNumber;
  }

  /** Every sample generated the same number, as {@code max_tokens} says. */
  static GeneratedTokens sameNumber() {
    return new GeneratedTokens(false);
  }

  /** Each sample ended when it ended. To be tried when nothing else fits. */
  static GeneratedTokens anyNumber() {
    return new GeneratedTokens(true);
  }

  @Override
  public CauseText text() {
    return new CauseText(
        "tokens.generated-included",
        "the model generated tokens after the prompt, and their states were saved with those of the"
            + " prompt. The file's token ids are those of the prompt alone",
        "",
        "ask for max_tokens=1 and save the rows of the prompt only (vLLM's connector: a request"
            + " without include_output_tokens; speculators does so). These files can be mended: the"
            + " first n rows of each layer are the prompt's");
  }

  @Override
  public List<TokenGuess> guesses(CountedSamples samples, Symptoms symptoms) {
    if (anyNumber) {
      return different(samples);
    }
    Set<Long> numbers = new LinkedHashSet<>(List.of(1L));
    samples
        .mostCommon(sample -> sample.rows() - sample.tokens())
        .ifPresent(
            number -> {
              if (number > 0) {
                numbers.add(number);
              }
            });
    List<TokenGuess> guesses = new ArrayList<>();
    for (long number : numbers) {
      guesses.add(
          new TokenGuess(
              "T = n + " + number,
              number == 1,
              sample -> sample.rows() - sample.tokens() == number,
              sample -> sample.rows() + " = " + sample.tokens() + " + " + number,
              List.of()));
    }
    return guesses;
  }

  private static List<TokenGuess> different(CountedSamples samples) {
    long lengths = samples.wrong().stream().map(CountedSample::tokens).distinct().count();
    LongSummaryStatistics more =
        samples.wrong().stream()
            .mapToLong(sample -> sample.rows() - sample.tokens())
            .summaryStatistics();
    if (lengths < FEW_LENGTHS || more.getMin() < 1) {
      return List.of();
    }
    return List.of(
        new TokenGuess(
            "T > n",
            true,
            sample -> sample.rows() > sample.tokens(),
            sample ->
                sample.rows() + " = " + sample.tokens() + " + " + (sample.rows() - sample.tokens()),
            List.of(
                "between "
                    + more.getMin()
                    + " and "
                    + more.getMax()
                    + " rows too many in every file, which neither padding nor the batch explains")));
  }
}
