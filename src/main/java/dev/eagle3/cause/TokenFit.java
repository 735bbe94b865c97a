package dev.eagle3.cause;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How well a guess fits samples.
 *
 * @param rule whose guess it is
 * @param guess the guess
 * @param explained how many wrong samples are as it says
 * @param against how many whole samples are not
 * @param all whether it is so of every sample
 */
record TokenFit(TokenRule rule, TokenGuess guess, int explained, int against, boolean all) {
  /** Of fewer than one in four, chance explains as much: 1 in 16 numbers is a multiple of 16. */
  private static final int LEAST_SHARE = 4;

  /** The first guess of the rule that explains all, else the one that explains most. */
  static Optional<TokenFit> best(TokenRule rule, CountedSamples samples, Symptoms symptoms) {
    List<TokenFit> fits =
        rule.guesses(samples, symptoms).stream()
            .map(guess -> of(rule, guess, samples))
            .filter(fit -> fit.explained > 0)
            .toList();
    // The first of several: max() would give the last.
    return fits.stream()
        .filter(TokenFit::all)
        .findFirst()
        .or(
            () ->
                fits.stream()
                    .sorted(Comparator.comparingInt((TokenFit fit) -> fit.against - fit.explained))
                    .findFirst());
  }

  private static TokenFit of(TokenRule rule, TokenGuess guess, CountedSamples samples) {
    int explained = 0;
    int against = 0;
    long length = 0;
    boolean differ = false;
    for (CountedSample sample : samples.all()) {
      boolean fits = guess.fits().test(sample);
      if (sample.isWhole()) {
        against += fits ? 0 : 1;
      } else if (fits) {
        differ |= explained > 0 && sample.tokens() != length;
        length = sample.tokens();
        explained++;
      }
    }
    if (!guess.settled() && !differ) {
      explained = 0;
    }
    boolean all = explained == samples.wrong().size() && against == 0 && samples.unclear() == 0;
    return new TokenFit(rule, guess, explained, against, all);
  }

  /** Whether it explains enough of them to be said. */
  boolean isWorthSaying(CountedSamples samples) {
    return explained * LEAST_SHARE >= samples.wrong().size();
  }

  String code() {
    return rule.text().code();
  }
}
