package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.SampleFiles;
import dev.eagle3.verify.SampleVerifier;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HiddenSplitTest {
  private static final Expectation KIMI =
      Expectation.NONE.withLayers(4, "flags").withHiddenSize(7168, "config.json");

  @Test
  void thePartOfOneRankIsNamed() {
    List<Cause> causes = find(8, file(0, 512, 896), file(1, 259, 896));

    assertThat(causes).hasSize(1);
    assertThat(causes.get(0).code()).isEqualTo("layers.hidden-split");
    assertThat(causes.get(0).says()).startsWith("the hidden dimension was split");
    assertThat(causes.get(0).evidence())
        .containsExactly(
            "data_0.pt: 4 × [512, 896] bfloat16, and 896 = 7168 / 8",
            "all 2 files of another hidden size",
            "hidden size 7168 from config.json",
            "tensor parallel size 8 of run r");
    assertThat(causes.get(0).subjects()).containsExactly("/out/data_0.pt", "/out/data_1.pt");
  }

  @Test
  void withoutARunAUsualNumberOfRanksIsProbable() {
    assertThat(find(0, file(0, 512, 896)).get(0).says()).startsWith("probably, ");
    assertThat(find(0, file(0, 512, 1024)).size()).as("7 ranks").isZero();
  }

  @Test
  void aWidthOfAnotherNumberOfRanksIsAnotherFault() {
    assertThat(find(8, file(0, 512, 3584))).isEmpty();
    assertThat(find(4, file(0, 512, 896))).isEmpty();
    assertThat(find(8, file(0, 512, 900))).isEmpty();
  }

  @Test
  void filesOfDifferentWidthsAreAnotherFault() {
    assertThat(find(8, file(0, 512, 896), file(1, 259, 3584))).isEmpty();
  }

  @Test
  void goodFilesAndUnknownModelsHaveNoCause() {
    assertThat(find(8, file(0, 512, 7168))).isEmpty();
    assertThat(find(1, file(0, 512, 7168))).isEmpty();
    assertThat(
            new CauseFinder()
                .find(List.of(file(0, 512, 896)), Expectation.NONE.withLayers(4, "flags")))
        .isEmpty();
  }

  private static FileVerdict file(int number, long tokens, long width) {
    String path = "/out/data_" + number + ".pt";
    return new SampleVerifier().verify(SampleFiles.sample(path, tokens, 4, tokens, width), KIMI);
  }

  private static List<Cause> find(int ranks, FileVerdict... files) {
    OptionalInt known = ranks == 0 ? OptionalInt.empty() : OptionalInt.of(ranks);
    RunFacts run = new RunFacts(known, OptionalLong.empty(), "run r");
    return new CauseFinder().explain(List.of(files), KIMI, run).causes();
  }
}
