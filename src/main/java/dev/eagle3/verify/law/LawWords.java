package dev.eagle3.verify.law;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.law.Prediction.Kind;
import dev.eagle3.verify.law.RowPrints.Copy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the laws found, in words. */
final class LawWords {
  private static final int MOST_EXAMPLES = 5;

  /** Pairs with copied rows, of which there may be many for one fault. */
  private static final int MOST_PAIRS = 20;

  private final List<Finding> findings = new ArrayList<>();
  private final List<Cause> causes = new ArrayList<>();

  /** Says why the second law is not tested. */
  void notTested(String model, String why) {
    findings.add(
        Finding.of(
            "law.not-tested",
            Severity.NOTE,
            model,
            "a model whose head can be read",
            why + ", so whether states predict their tokens was not tested"));
  }

  /** Says that the states cannot be of this model. */
  void otherWidth(LawSample sample, HeadPlace place) {
    findings.add(
        Finding.of(
            "law.not-tested",
            Severity.NOTE,
            sample.path(),
            "states of the model's hidden size " + place.hiddenSize(),
            "rows of " + sample.hiddenSize() + ", so they were not held against the model"));
  }

  /** Says what the first law found. */
  void prefixes(PrefixLaw.Answer answer) {
    List<PrefixLaw.Breach> shifted = new ArrayList<>();
    for (PrefixLaw.Breach breach : answer.breaches()) {
      findings.add(finding(breach));
      if (breach.shift() != 0) {
        shifted.add(breach);
      }
    }
    if (!shifted.isEmpty()) {
      causes.add(
          Causes.SHIFTED.of(
              shifted.stream().limit(MOST_EXAMPLES).map(LawWords::evidence).toList(),
              shifted.stream().map(breach -> breach.sample().path()).toList()));
    }
    if (answer.agreeing() > 0 && answer.breaches().isEmpty()) {
      findings.add(
          Finding.of(
              "law.prefix-holds",
              Severity.NOTE,
              count(answer.compared(), "pair") + " of files",
              "equal states after equal tokens",
              answer.agreeing() + " agree on the tokens that they begin with"));
    }
  }

  private static Finding finding(PrefixLaw.Breach breach) {
    LawSample other = breach.pair().otherThan(breach.sample());
    String actual =
        breach.isProven()
            ? "states that are not those of its tokens"
            : "other states than " + other.name() + ", one of the two is wrong";
    return new Finding(
        "law.prefix-broken",
        Severity.ERROR,
        breach.sample().path(),
        "the states of " + other.name() + " for the tokens that both begin with",
        actual,
        List.of(evidence(breach)));
  }

  private static String evidence(PrefixLaw.Breach breach) {
    LawSample other = breach.pair().otherThan(breach.sample());
    String found =
        String.format(
            Locale.ROOT,
            "%s and %s begin with the same %d tokens; there their rows have cosine %.3f, and rows of"
                + " different places %.3f",
            breach.sample().name(),
            other.name(),
            breach.pair().shared(),
            1 - breach.pair().distance().same(),
            1 - breach.pair().distance().other());
    return breach.shift() == 0
        ? found
        : found + "; each row is the one " + rowsAway(breach.shift()) + " in " + other.name();
  }

  /** Says what the second law found. */
  void predictions(List<Prediction> predictions) {
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
              : own.size() + " of " + count(predictions.size(), "file");
      findings.add(
          Finding.of(
              "law.prediction-holds",
              Severity.NOTE,
              subject,
              "states that predict the next token",
              (predictions.size() == 1 ? "predicts its own tokens " : "predict their own tokens ")
                  + number(score)));
    }
    addUntold(of(predictions, Kind.TOO_FEW), "too few tokens");
    addUntold(of(predictions, Kind.UNCLEAR), "no tokens clearly better than others");
  }

  private void addUntold(List<Prediction> untold, String why) {
    if (!untold.isEmpty()) {
      String subject =
          untold.size() == 1 ? untold.get(0).sample().path() : count(untold.size(), "file");
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
                      one -> one.sample().name() + ": " + count(one.rows(), "row") + " to judge by")
                  .toList()));
    }
  }

  private void addCause(Causes cause, List<Prediction> predictions) {
    if (!predictions.isEmpty()) {
      List<String> evidence = new ArrayList<>();
      predictions.stream().limit(MOST_EXAMPLES).map(LawWords::evidence).forEach(evidence::add);
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
                : "states that predict its tokens " + rowsAway(prediction.shift());
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
            : "predicts its tokens " + rowsAway(prediction.shift());
    return String.format(
        Locale.ROOT,
        "%s %s %s, its own next ones %s: those are e^%.0f as likely",
        name,
        whose,
        number(prediction.ownerScore()),
        number(prediction.score()),
        -prediction.odds());
  }

  /** Says which rows are copies. */
  void copies(List<List<Copy>> copies, List<Prediction> predictions) {
    List<String> evidence = new ArrayList<>();
    List<String> subjects = new ArrayList<>();
    for (List<Copy> rows : copies.subList(0, Math.min(copies.size(), MOST_PAIRS))) {
      Copy example = rows.get(0);
      LawSample wrong =
          isOf(predictions, example.first(), example.second()) ? example.first() : example.second();
      LawSample other = wrong == example.first() ? example.second() : example.first();
      boolean isKnown = isOf(predictions, wrong, other) || wrong == other;
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
      subjects.add(example.second().path());
    }
    if (!evidence.isEmpty()) {
      causes.add(
          Causes.COPIED.of(
              evidence.subList(0, Math.min(evidence.size(), MOST_EXAMPLES)),
              subjects.stream().distinct().toList()));
    }
  }

  /** Whether the states of {@code sample} were found to be those of {@code owner}. */
  private static boolean isOf(
      Collection<Prediction> predictions, LawSample sample, LawSample owner) {
    return predictions.stream()
        .anyMatch(
            each -> each.kind() == Kind.OTHER && each.sample() == sample && each.owner() == owner);
  }

  /** Everything that was said. */
  LawOutcome outcome() {
    List<Cause> merged = new ArrayList<>();
    for (Cause cause : causes) {
      Optional<Cause> same =
          merged.stream().filter(each -> each.code().equals(cause.code())).findFirst();
      same.ifPresent(merged::remove);
      merged.add(same.map(each -> together(each, cause)).orElse(cause));
    }
    return new LawOutcome(findings, merged);
  }

  private static Cause together(Cause one, Cause two) {
    List<String> evidence = new ArrayList<>(one.evidence());
    evidence.addAll(two.evidence());
    List<String> subjects = new ArrayList<>(one.subjects());
    subjects.addAll(two.subjects());
    return new Cause(
        one.code(),
        one.says(),
        evidence,
        one.where(),
        one.fix(),
        subjects.stream().distinct().toList());
  }

  private static List<Prediction> of(List<Prediction> predictions, Kind kind) {
    return predictions.stream().filter(prediction -> prediction.kind() == kind).toList();
  }

  private static String rowsAway(int shift) {
    return count(Math.abs(shift), "row") + (shift > 0 ? " later" : " earlier");
  }

  private static String number(double score) {
    return String.format(Locale.ROOT, "(%.2f)", score);
  }

  private static String count(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
