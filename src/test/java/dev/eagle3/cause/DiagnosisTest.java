package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.VerifyResult;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
  @Test
  void layersThatTheModelDoesNotHaveAreWrongAlsoWhenAllFilesAgreeWithThem() {
    assertThat(exit(Severity.ERROR)).isEqualTo(Exit.WRONG);
    assertThat(exit(Severity.WARNING)).isEqualTo(Exit.DONE);
  }

  private static Exit exit(Severity severity) {
    Finding doubt = Finding.of("layers.out-of-range", severity, "--layers", "0 to 60", "99");
    VerifyResult nothingWrong = new VerifyResult(List.of(), List.of(), OptionalLong.empty());
    assertThat(nothingWrong.exit()).isEqualTo(Exit.DONE);
    return new Diagnosis(nothingWrong, Expectation.NONE, List.of(doubt), List.of()).exit();
  }
}
