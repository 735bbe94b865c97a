package dev.eagle3.cause;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why the layers of samples do not have as many rows as the samples have tokens. The first rule
 * that explains all samples is the cause; others that explain some are mentioned. Where none
 * explains all, none is named, and those that explain some are a note.
 */
final class TokenCounts {
  /** In the order in which they are tried. */
  private static final List<TokenRule> RULES =
      List.of(
          new BatchNotSplit(),
          new RankSplit(),
          new LastChunk(),
          new FirstChunk(),
          new LastToken(),
          GeneratedTokens.sameNumber(),
          new GraphPadding(),
          new BatchPadding(),
          new Recomputation(),
          new PrefixCaching());

  /** Fits much, so it is tried when nothing else explains anything. */
  private static final TokenRule LAST_RESORT = GeneratedTokens.anyNumber();

  /** Of more folders than this, all are explained together or not at all. */
  private static final int MOST_FOLDERS = 8;

  /** The codes of all of them. */
  static List<String> codes() {
    return Stream.concat(RULES.stream(), Stream.of(LAST_RESORT))
        .map(rule -> rule.text().code())
        .distinct()
        .toList();
  }

  Explanation explain(Symptoms symptoms) {
    CountedSamples samples = CountedSamples.of(symptoms);
    Explanation together = explain(samples, symptoms);
    if (!together.causes().isEmpty() || samples.wrong().isEmpty()) {
      return together;
    }
    List<CountedSamples> folders = samples.byFolder();
    if (folders.size() < 2 || folders.size() > MOST_FOLDERS) {
      return together;
    }
    List<Explanation> apart = folders.stream().map(folder -> explain(folder, symptoms)).toList();
    return new Explanation(
        apart.stream().flatMap(folder -> folder.causes().stream()).toList(),
        apart.stream().flatMap(folder -> folder.notes().stream()).toList());
  }

  private static Explanation explain(CountedSamples samples, Symptoms symptoms) {
    if (samples.wrong().isEmpty()) {
      return new Explanation(List.of(), List.of());
    }
    List<TokenFit> fits = new ArrayList<>();
    for (TokenRule rule : RULES) {
      TokenFit.best(rule, samples, symptoms)
          .filter(fit -> fit.isWorthSaying(samples))
          .ifPresent(fits::add);
    }
    if (fits.isEmpty()) {
      TokenFit.best(LAST_RESORT, samples, symptoms).ifPresent(fits::add);
    }
    Optional<TokenFit> verdict = fits.stream().filter(TokenFit::all).findFirst();
    if (verdict.isPresent()) {
      fits.remove(verdict.get());
      return new Explanation(List.of(TokenEvidence.cause(verdict.get(), fits, samples)), List.of());
    }
    return fits.isEmpty()
        ? new Explanation(List.of(), List.of())
        : new Explanation(List.of(), List.of(TokenEvidence.note(fits, samples)));
  }
}
