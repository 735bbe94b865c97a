package dev.eagle3.cause;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Words for what {@link TokenCounts} finds. */
final class TokenEvidence {
  private static final int MOST_EXAMPLES = 3;

  /** So many lengths do not fit the stricter rule by chance, whatever looser ones fit as well. */
  private static final int SURELY_NO_CHANCE = 3;

  private TokenEvidence() {}

  /**
   * The cause, with what else explains these files: "probably" where all have one length, or few
   * lengths and another rule explains all of them. Rules that whole files refute are left out.
   */
  static Cause cause(TokenFit verdict, List<TokenFit> others, CountedSamples samples) {
    List<String> evidence = new ArrayList<>(examples(verdict, samples));
    evidence.add(scope(samples));
    evidence.addAll(verdict.guess().facts());
    long lengths = samples.wrong().stream().map(CountedSample::tokens).distinct().count();
    boolean oneLength = lengths == 1;
    boolean rivals = lengths < SURELY_NO_CHANCE && others.stream().anyMatch(TokenFit::all);
    others.stream()
        .filter(other -> other.against() == 0)
        .forEach(other -> evidence.add(mention(other, samples)));
    if (oneLength) {
      evidence.add(
          samples.wrong().size() == 1
              ? "it is the only such file: one of another length would prove it"
              : "all of them have "
                  + samples.wrong().get(0).tokens()
                  + " tokens: a file of another length would prove it");
    }
    CauseText text = verdict.rule().text();
    return new Cause(
        text.code(),
        (rivals || oneLength ? "probably, " : "") + text.says(),
        evidence,
        text.where(),
        text.fix(),
        samples.wrong().stream().map(CountedSample::path).toList());
  }

  /** A note on rules that explain some of the files, where none explains all. */
  static Finding note(List<TokenFit> fits, CountedSamples samples) {
    List<String> evidence = new ArrayList<>();
    fits.forEach(fit -> evidence.add(mention(fit, samples)));
    TokenFit best = fits.get(0);
    for (TokenFit fit : fits) {
      if (fit.explained() - fit.against() > best.explained() - best.against()) {
        best = fit;
      }
    }
    TokenFit most = best;
    samples.all().stream()
        .filter(sample -> !most.guess().fits().test(sample))
        .limit(MOST_EXAMPLES)
        .forEach(
            sample ->
                evidence.add(
                    "not " + most.code() + ": " + sample.fileName() + " with " + counts(sample)));
    return new Finding(
        "tokens.partly-explained",
        Severity.NOTE,
        samples.wrong().get(0).name().folder().isEmpty()
            ? samples.wrong().get(0).path()
            : samples.wrong().get(0).name().folder(),
        "one cause for all files whose rows are not their tokens",
        "no cause explains all of them",
        evidence);
  }

  private static List<String> examples(TokenFit verdict, CountedSamples samples) {
    List<String> examples = new ArrayList<>();
    Set<Long> lengths = new HashSet<>();
    for (CountedSample sample : samples.wrong()) {
      if (examples.size() < MOST_EXAMPLES && lengths.add(sample.tokens())) {
        examples.add(
            sample.fileName()
                + ": "
                + counts(sample)
                + ", "
                + verdict.guess().arithmetic().apply(sample));
      }
    }
    return examples;
  }

  private static String counts(CountedSample sample) {
    return sample.rows()
        + (sample.rows() == 1 ? " row for " : " rows for ")
        + sample.tokens()
        + (sample.tokens() == 1 ? " token" : " tokens");
  }

  private static String scope(CountedSamples samples) {
    int wrong = samples.wrong().size();
    int whole = samples.all().size() - wrong;
    String of =
        wrong == 1 ? "this explains the one file" : "this explains all " + number(wrong) + " files";
    if (whole == 0) {
      return of;
    }
    return of
        + " whose rows are not their tokens, and that the other "
        + (whole == 1 ? "one is whole" : number(whole) + " are whole");
  }

  private static String mention(TokenFit fit, CountedSamples samples) {
    int wrong = samples.wrong().size();
    String rule = " (" + fit.guess().inShort() + ")";
    if (fit.all()) {
      return fit.code() + " explains " + (wrong == 1 ? "it" : "all of them") + " as well" + rule;
    }
    String against =
        switch (fit.against()) {
          case 0 -> "";
          case 1 -> ", and not that another one is whole";
          default -> ", and not that " + number(fit.against()) + " others are whole";
        };
    return fit.code()
        + " would explain "
        + number(fit.explained())
        + " of "
        + number(wrong + samples.unclear())
        + rule
        + against;
  }

  private static String number(int count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
