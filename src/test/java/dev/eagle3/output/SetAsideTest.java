package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.output.SetAside.How;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetAsideTest {
  @Test
  void itSaysWherePreviousOutputIsAndHowMuch() {
    SetAside renamed =
        new SetAside(
            OutputPlans.RUN,
            "/data/out",
            "/data/out",
            How.RENAMED,
            Optional.of(SetAside.asideOf("/data/out", OutputPlans.RUN)),
            OptionalLong.of(3L << 40),
            OptionalLong.of(10_000));

    assertThat(renamed.says())
        .isEqualTo(
            "previous output is now /data/out.before-"
                + OutputPlans.RUN
                + " · 10000 entries · 3.0 TiB");
  }

  @Test
  void aHostilePathIsPrintedWithoutControlCharacters() {
    SetAside made =
        new SetAside(
            OutputPlans.RUN,
            "/a",
            "/a\u001b[2J\n",
            How.CREATED,
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());

    assertThat(made.says()).isEqualTo("/a\\x1b[2J\\n is new");
  }

  @ParameterizedTest
  @CsvSource({"/a b,/a b", "\\\\,\\", "/x\\ty\\nz\\r,'/x\ty\nz\r'", "/a\\\\n,/a\\n", "/end\\,/end"})
  void aFieldOfAScriptIsAPath(String field, String path) {
    assertThat(PathField.path(field)).isEqualTo(path);
  }

  @Test
  void theStepsOfADryRunHaveTheWholePlan() {
    assertThat(
            OutputSetter.call(OutputPlans.to("/data/o ut"), Optional.of("/data/o ut")).arguments())
        .containsExactly(
            OutputPlans.RUN.text(),
            "/data/o ut",
            "/data/o ut",
            "",
            "do",
            "/data/needed/model",
            "/data/needed/prepared/data.jsonl",
            "/data/needed/script.py",
            "/data/needed/python3");
    assertThat(OutputRestorer.call(OutputPlans.to("/data/out"), true).arguments())
        .containsExactly(OutputPlans.RUN.text(), "/data/out", "live", "", "", "", "");
  }
}
