package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.GoodSamples;
import dev.eagle3.verify.SampleFiles;
import dev.eagle3.verify.SampleVerifier;
import dev.eagle3.verify.Verdict;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each cause from a file that shows it, and near-by good files that must pass. */
class LayerCausesTest {
  private static final Expectation KIMI =
      Expectation.NONE
          .withLayers(4, "run 1, layers 2 30 58 60")
          .withLayerIds(List.of(2, 30, 58, 60), "run 1")
          .withHiddenSize(7168, "config.json")
          .withModelLayers(61, "config.json");

  @Test
  void layersThatAreTransposedAreNamed() {
    Cause cause = only(KIMI, SampleFiles.sample("/out/data_0.pt", 512, 4, 7168L, 512L));

    assertThat(cause.code()).isEqualTo("layers.transposed");
    assertThat(cause.evidence())
        .containsExactly("data_0.pt: 4 × [7168, 512] bfloat16, and the sample has 512 tokens");
    assertThat(only(Expectation.NONE, SampleFiles.sample("a.pt", 512, 4, 7168L, 512L)).code())
        .isEqualTo("layers.transposed");
    // As many tokens as the hidden size: nothing tells, and nothing is wrong.
    assertNone(KIMI, SampleFiles.sample("a.pt", 7168, 4, 7168L, 7168L));
    assertNone(KIMI, SampleFiles.sample("a.pt", 512, 4, 300L, 512L));
  }

  @Test
  void aBatchOfOneThatWasKeptIsNamed() {
    Cause cause = only(KIMI, SampleFiles.sample("/out/data_0.pt", 9, 4, 1L, 9L, 7168L));

    assertThat(cause.code()).isEqualTo("layers.batch-kept");
    assertThat(cause.evidence())
        .containsExactly("data_0.pt: 4 × [1, 9, 7168] bfloat16: 9 tokens in a batch of 1");
    assertThat(cause.fix()).contains("squeeze(0)");
    // SpecForge saves it so.
    assertNone(Expectation.NONE, GoodSamples.specForge(9, 64));
  }

  @Test
  void aBatchThatWasNotSplitIsNamed() {
    Cause cause =
        only(
            KIMI.withBatchSize(2, "run 1"),
            SampleFiles.sample("/out/data_0.pt", 512, 4, 2L, 512L, 7168L),
            SampleFiles.sample("/out/data_1.pt", 259, 4, 2L, 512L, 7168L));

    assertThat(cause.code()).isEqualTo("layers.whole-batch");
    assertThat(cause.subjects()).hasSize(2);
    assertThat(cause.evidence().get(1))
        .isEqualTo(
            "data_1.pt: 4 × [2, 512, 7168] bfloat16: 2 samples of up to 512 tokens, and this one"
                + " has 259 tokens; batch size 2 of run 1");
    // Fewer rows than tokens are not a batch of this sample.
    assertNone(KIMI, SampleFiles.sample("a.pt", 600, 4, 2L, 512L, 7168L));
  }

  @Test
  void layersInOneTensorAreNamedHoweverTheyLie() {
    assertThat(only(KIMI, stacked(4L, 9L, 7168L)).evidence())
        .containsExactly("data_0.pt: 1 × [4, 9, 7168] bfloat16 is [L, T, H], T = 9");
    assertThat(only(KIMI, stacked(9L, 4L, 7168L)).evidence().get(0)).contains("is [T, L, H]");
    Cause wide = only(KIMI, stacked(9L, 28672L));
    assertThat(wide.code()).isEqualTo("layers.in-one-tensor");
    assertThat(wide.evidence().get(0)).contains("is [T, L*H]");
    assertThat(only(Expectation.NONE, stacked(4L, 9L, 64L)).code())
        .isEqualTo("layers.in-one-tensor");
    assertNone(KIMI, stacked(9L, 7168L));
    assertNone(KIMI, SampleFiles.good("a.pt", 9));
  }

  @Test
  void layersThatWereCapturedTwiceAreNamed() {
    Cause cause = only(KIMI, SampleFiles.sample("/out/data_0.pt", 9, 8, 9L, 7168L));

    assertThat(cause.code()).isEqualTo("layers.doubled");
    assertThat(cause.evidence())
        .containsExactly(
            "data_0.pt: 8 × [9, 7168] bfloat16, and 8 = 2 × 4, the layers of run 1, layers 2 30 58"
                + " 60");
    assertNone(KIMI, SampleFiles.sample("a.pt", 9, 5, 9L, 7168L));
    // Who only says a number on the command line may have meant another one.
    assertNone(
        Expectation.NONE.withLayers(4, "--layers").withHiddenSize(7168, "x"),
        SampleFiles.sample("a.pt", 9, 8, 9L, 7168L));
  }

  @Test
  void aLayerThatTheModelDoesNotHaveIsNamed() {
    Expectation boundary = KIMI.withLayerIds(List.of(2, 30, 58, 61), "run 1");
    Cause cause = only(boundary, SampleFiles.sample("/out/data_0.pt", 9, 3, 9L, 7168L));

    assertThat(cause.code()).isEqualTo("layers.not-captured");
    assertThat(cause.evidence())
        .containsExactly(
            "data_0.pt: 3 × [9, 7168] bfloat16: 4 layers were asked for, and of [61] there is none;"
                + " the model has layers 0 to 60 (config.json)");
    assertNone(boundary, SampleFiles.good("a.pt", 9));
    assertNone(KIMI, SampleFiles.sample("a.pt", 9, 3, 9L, 7168L));
  }

  @Test
  void theWidthOfAnotherTensorIsNamed() {
    Expectation sizes =
        KIMI.withOtherSizes(Map.of(18432L, "text_config.intermediate_size", 2048L, "x"));
    Cause cause = only(sizes, SampleFiles.sample("/out/data_0.pt", 9, 4, 9L, 18432L));

    assertThat(cause.code()).isEqualTo("layers.other-tensor");
    assertThat(cause.evidence())
        .containsExactly(
            "data_0.pt: 4 × [9, 18432] bfloat16: 18432 is text_config.intermediate_size, the"
                + " hidden size is 7168 (config.json)");
    assertNone(sizes, SampleFiles.good("a.pt", 9));
    assertNone(sizes, SampleFiles.sample("a.pt", 9, 4, 9L, 1000L));
  }

  @Test
  void aPartThatWasSavedWithAllOfItsTensorIsNamed() {
    FileVerdict good = new SampleVerifier().verify(SampleFiles.good("/out/data_0.pt", 9), KIMI);
    Finding share =
        new Finding(
            "file.storage-share",
            Severity.WARNING,
            good.path(),
            "",
            "",
            List.of("storage 1 has 9,000,000 bytes, its tensors use 129,024"));
    FileVerdict large =
        new FileVerdict(good.path(), 9, Verdict.GOOD, good.shape(), good.says(), List.of(share));

    Cause cause = new CauseFinder().find(List.of(large), KIMI).get(0);

    assertThat(cause.code()).isEqualTo("layers.whole-storage");
    assertThat(cause.evidence().get(0)).contains("9,000,000 bytes");
  }

  @Test
  void goodFilesOfEverySchemaHaveNoCause() {
    Expectation three =
        Expectation.NONE
            .withLayers(3, "run 1, layers 1 2 3")
            .withLayerIds(List.of(1, 2, 3), "run 1")
            .withHiddenSize(64, "config.json")
            .withModelLayers(8, "config.json");
    for (Expectation expected : List.of(three, Expectation.NONE)) {
      for (TensorFile file : GoodSamples.of(9, 64).values()) {
        assertThat(find(expected, file)).as(file.name()).isEmpty();
      }
      // One token, and as many tokens as layers.
      for (TensorFile file : GoodSamples.of(1, 64).values()) {
        assertThat(find(expected, file)).as(file.name()).isEmpty();
      }
      for (TensorFile file : GoodSamples.of(3, 64).values()) {
        assertThat(find(expected, file)).as(file.name()).isEmpty();
      }
    }
  }

  private static TensorFile stacked(Long... shape) {
    return SampleFiles.torch("/out/data_0.pt")
        .tensor("input_ids", "int64", 9L)
        .tensor("hidden_states", "bfloat16", shape)
        .tensor("loss_mask", "int64", 9L)
        .file();
  }

  private static void assertNone(Expectation expected, TensorFile file) {
    assertThat(find(expected, file)).isEmpty();
  }

  private static Cause only(Expectation expected, TensorFile... files) {
    List<Cause> causes = find(expected, files);
    assertThat(causes).hasSize(1);
    return causes.get(0);
  }

  private static List<Cause> find(Expectation expected, TensorFile... files) {
    List<FileVerdict> verdicts =
        Stream.of(files).map(file -> new SampleVerifier().verify(file, expected)).toList();
    return new CauseFinder().find(verdicts, expected);
  }
}
