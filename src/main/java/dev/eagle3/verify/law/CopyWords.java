package dev.eagle3.verify.law;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.law.Prediction.Kind;
import dev.eagle3.verify.law.RowPrints.Copy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which rows are copies, in words. */
final class CopyWords {
  private static final int MOST_EXAMPLES = 5;

  /** Pairs with copied rows, of which there may be many for one fault. */
  private static final int MOST_PAIRS = 20;

  private final List<Prediction> predictions;

  /** With what the second law found, which may tell the one that is wrong of two files. */
  CopyWords(List<Prediction> predictions) {
    this.predictions = predictions;
  }

  /** What is wrong, by pairs of files with rows that are equal. */
  LawOutcome of(List<List<Copy>> copies) {
    List<Finding> findings = new ArrayList<>();
    List<String> evidence = new ArrayList<>();
    List<String> subjects = new ArrayList<>();
    for (List<Copy> rows : copies.subList(0, Math.min(copies.size(), MOST_PAIRS))) {
      Copy example = rows.get(0);
      LawSample wrong =
          isOf(example.first(), example.second()) ? example.first() : example.second();
      LawSample other = wrong == example.first() ? example.second() : example.first();
      boolean isKnown = isOf(wrong, other) || wrong == other;
      String says =
          String.format(
              Locale.ROOT,
              "%d of the rows looked at are equal bit for bit, for example row %d of %s and row %d"
                  + " of %s, which follow different tokens",
              rows.size(),
              example.firstRow(),
              example.first().name(),
              example.secondRow(),
              example.second().name());
      findings.add(
          new Finding(
              "law.rows-equal",
              Severity.ERROR,
              isKnown ? wrong.path() : example.first().name() + " and " + example.second().name(),
              "other states after other tokens",
              wrong == other ? "one state at two places" : "rows of " + other.name(),
              List.of(says)));
      evidence.add(says);
      subjects.add(isKnown ? wrong.path() : example.second().path());
    }
    if (evidence.isEmpty()) {
      return new LawOutcome(findings, List.of());
    }
    Cause cause =
        Causes.COPIED.of(
            evidence.subList(0, Math.min(evidence.size(), MOST_EXAMPLES)),
            subjects.stream().distinct().toList());
    return new LawOutcome(findings, List.of(cause));
  }

  /** Whether the states of {@code sample} were found to be those of {@code owner}. */
  private boolean isOf(LawSample sample, LawSample owner) {
    return predictions.stream()
        .anyMatch(
            each -> each.kind() == Kind.OTHER && each.sample() == sample && each.owner() == owner);
  }
}
