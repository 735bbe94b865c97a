package dev.eagle3.verify.law;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the laws found, in words; of the first law here. */
final class LawWords {
  private static final int MOST_EXAMPLES = 5;

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
              "",
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
    add(new PredictionWords().of(predictions));
  }

  /** Says which rows are copies. */
  void copies(List<List<RowPrints.Copy>> copies, List<Prediction> predictions) {
    add(new CopyWords(predictions).of(copies));
  }

  private void add(LawOutcome more) {
    findings.addAll(more.findings());
    causes.addAll(more.causes());
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

  /** {@code 2 rows later}. */
  static String rowsAway(int shift) {
    return count(Math.abs(shift), "row") + (shift > 0 ? " later" : " earlier");
  }

  /** {@code 1 row}, {@code 2 rows}. */
  static String count(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
