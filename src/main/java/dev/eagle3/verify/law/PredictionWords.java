package dev.eagle3.verify.law;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.law.Prediction.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What states predict, in words. For one set of predictions. */
final class PredictionWords {
  private static final int MOST_EXAMPLES = 5;

  private final List<Finding> findings = new ArrayList<>();
  private final List<Cause> causes = new ArrayList<>();

  /** What is wrong, what holds, and what could not be told. */
  LawOutcome of(List<Prediction> predictions) {
    List<Prediction> own = of(predictions, Kind.OWN);
    List<Prediction> other = of(predictions, Kind.OTHER);
    List<Prediction> shifted = of(predictions, Kind.SHIFTED);
    List<Prediction> nothing = of(predictions, Kind.NOTHING);
    for (List<Prediction> broken : List.of(other, shifted, nothing)) {
      broken.forEach(prediction -> findings.add(broken(prediction)));
    }
    addCause(Causes.SWAPPED, other);
    addCause(Causes.SHIFTED, shifted);
    addCause(Causes.FOREIGN, nothing);
    if (!own.isEmpty()) {
      double score = own.stream().mapToDouble(Prediction::score).average().orElse(0);
      String subject =
          predictions.size() == 1
              ? own.get(0).sample().path()
              : own.size() + " of " + LawWords.count(predictions.size(), "file");
      findings.add(
          Finding.of(
              "law.prediction-holds",
              Severity.NOTE,
              subject,
              "",
              (predictions.size() == 1 ? "predicts its own tokens " : "predict their own tokens ")
                  + number(score)));
    }
    addUntold(of(predictions, Kind.TOO_FEW), "too few tokens");
    addUntold(of(predictions, Kind.UNCLEAR), "no tokens clearly better than others");
    return new LawOutcome(findings, causes);
  }

  private void addUntold(List<Prediction> untold, String why) {
    if (!untold.isEmpty()) {
      String subject =
          untold.size() == 1
              ? untold.get(0).sample().path()
              : LawWords.count(untold.size(), "file");
      findings.add(
          new Finding(
              "law.not-tested",
              Severity.NOTE,
              subject,
              "enough tokens to tell whose states they are",
              why + ": cannot tell whether states predict their own tokens",
              untold.stream()
                  .limit(MOST_EXAMPLES)
                  .map(
                      one ->
                          one.sample().name()
                              + ": "
                              + LawWords.count(one.rows(), "row")
                              + " to judge by")
                  .toList()));
    }
  }

  private void addCause(Causes cause, List<Prediction> predictions) {
    if (!predictions.isEmpty()) {
      List<String> evidence = new ArrayList<>();
      predictions.stream()
          .limit(MOST_EXAMPLES)
          .map(PredictionWords::evidence)
          .forEach(evidence::add);
      if (predictions.size() > MOST_EXAMPLES) {
        evidence.add((predictions.size() - MOST_EXAMPLES) + " more");
      }
      causes.add(
          cause.of(evidence, predictions.stream().map(each -> each.sample().path()).toList()));
    }
  }

  private static Finding broken(Prediction prediction) {
    LawSample owner = prediction.owner();
    String actual =
        owner == null
            ? "states that predict the tokens of no file " + number(prediction.score())
            : prediction.shift() == 0
                ? "states that predict the tokens of " + owner.name()
                : "states that predict its tokens " + LawWords.rowsAway(prediction.shift());
    return new Finding(
        "law.prediction-broken",
        Severity.ERROR,
        prediction.sample().path(),
        "states that predict its own next tokens",
        actual,
        List.of(evidence(prediction)));
  }

  private static String evidence(Prediction prediction) {
    LawSample owner = prediction.owner();
    String name = prediction.sample().name();
    if (owner == null) {
      return String.format(
          Locale.ROOT,
          "%s: its next tokens outrank %.2f of the others, over %d rows; by chance that is 0.50",
          name,
          prediction.score(),
          prediction.rows());
    }
    String whose =
        prediction.shift() == 0
            ? "predicts the tokens of " + owner.name()
            : "predicts its tokens " + LawWords.rowsAway(prediction.shift());
    return String.format(
        Locale.ROOT,
        "%s %s %s, its own next ones %s: those are e^%.0f as likely",
        name,
        whose,
        number(prediction.ownerScore()),
        number(prediction.score()),
        -prediction.odds());
  }

  private static List<Prediction> of(List<Prediction> predictions, Kind kind) {
    return predictions.stream().filter(prediction -> prediction.kind() == kind).toList();
  }

  private static String number(double score) {
    return String.format(Locale.ROOT, "(%.2f)", score);
  }
}
