package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BadSampleRuleTest {
  private int number;

  @Test
  void aDamagedSampleOfTheFirstBatchEndsTheRun() {
    BadSampleRule rule = new BadSampleRule(OnBad.AUTO, 2);
    rule.take(good());
    rule.take(bad("file.cut"));

    assertThat(rule.reason(List.of())).hasValue("data_1.pt, of its first batch, is damaged");
  }

  @Test
  void aCauseOfTheFirstBatchEndsTheRunAndWithoutOneItGoesOn() {
    BadSampleRule rule = new BadSampleRule(OnBad.AUTO, 2);
    rule.take(bad("layers.count"));
    rule.take(bad("layers.count"));

    assertThat(rule.reason(List.of())).isEmpty();
    assertThat(rule.reason(List.of(cause("/out/data_7.pt")))).isEmpty();
    assertThat(rule.reason(List.of(cause("/out/data_1.pt"))))
        .hasValue("its first batch shows layers.doubled");
  }

  @Test
  void oneDamagedSampleLaterOnEndsNoRun() {
    BadSampleRule rule = new BadSampleRule(OnBad.AUTO, 1);
    rule.take(good());
    rule.take(bad("file.cut"));

    assertThat(rule.reason(List.of())).isEmpty();
  }

  @Test
  void threeOfTheLastTenEndTheRunAndThreeOfElevenDoNot() {
    BadSampleRule rule = new BadSampleRule(OnBad.AUTO, 1);
    rule.take(good());
    rule.take(bad("layers.count"));
    rule.take(bad("layers.count"));
    for (int index = 0; index < 8; index++) {
      rule.take(good());
    }
    rule.take(bad("layers.count"));
    assertThat(rule.reason(List.of())).as("the first one is too long ago").isEmpty();

    rule.take(good());
    rule.take(bad("file.cut"));
    rule.take(bad("layers.hidden-size"));

    assertThat(rule.reason(List.of())).hasValue("3 of its last 10 samples have the wrong form");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "values.nan",
        "mask.all-zero",
        "tokens.outside-vocabulary",
        "file.schema-unknown",
        "file.unreadable",
        "file.being-written"
      })
  void wrongValuesAndWhatIsNotKnownEndNoRun(String code) {
    BadSampleRule rule = new BadSampleRule(OnBad.AUTO, 2);
    for (int index = 0; index < 20; index++) {
      rule.take(bad(code));
    }

    assertThat(rule.reason(List.of(cause("/out/data_0.pt")))).isEmpty();
  }

  @Test
  void stopEndsARunForAnyBadSampleAndWarnForNone() {
    BadSampleRule stop = new BadSampleRule(OnBad.STOP, 4);
    BadSampleRule warn = new BadSampleRule(OnBad.WARN, 4);
    for (int index = 0; index < 20; index++) {
      stop.take(good());
    }
    assertThat(stop.reason(List.of())).isEmpty();
    stop.take(bad("values.nan"));
    for (int index = 0; index < 20; index++) {
      warn.take(bad("file.cut"));
    }

    assertThat(stop.reason(List.of())).hasValue("data_20.pt is bad");
    assertThat(warn.reason(List.of(cause("/out/data_21.pt")))).isEmpty();
  }

  @Test
  void aBatchIsCompleteWithItsLastSample() {
    BadSampleRule rule = new BadSampleRule(OnBad.AUTO, 2);
    rule.take(good());
    assertThat(rule.isBatchComplete()).isFalse();
    rule.take(good());
    assertThat(rule.isBatchComplete()).isTrue();
    assertThat(new BadSampleRule(OnBad.AUTO, 0).isBatchComplete()).isTrue();
  }

  private FileVerdict good() {
    return verdict(Verdict.GOOD, List.of());
  }

  private FileVerdict bad(String code) {
    return verdict(
        Verdict.BAD, List.of(Finding.of(code, Severity.ERROR, "data.pt", "good", "bad")));
  }

  private FileVerdict verdict(Verdict verdict, List<Finding> findings) {
    String path = "/out/data_" + number++ + ".pt";
    return new FileVerdict(path, 100, verdict, Optional.empty(), "", findings);
  }

  private static Cause cause(String subject) {
    return new Cause("layers.doubled", "says", List.of(), "", "", List.of(subject));
  }
}
