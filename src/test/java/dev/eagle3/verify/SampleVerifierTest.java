package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleVerifierTest {
  private static final Expectation KIMI =
      Expectation.NONE
          .withLayers(4, "--layers 2 30 58 60")
          .withHiddenSize(7168, "/shared/kimi/config.json (text_config)")
          .withDtype("bfloat16", "/shared/kimi/config.json (text_config)")
          .withMaxTokens(2048, "--max-seq-len");

  private final SampleVerifier verifier = new SampleVerifier();

  @Test
  void aSampleAsExpectedIsGood() {
    FileVerdict verdict = verifier.verify(SampleFiles.good("/out/data_0.pt", 512), KIMI);

    assertThat(verdict.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.says()).isEqualTo("4 × [512, 7168] bfloat16");
    SampleShape shape = verdict.shape().orElseThrow();
    assertThat(shape.schema()).isEqualTo("speculators-list");
    assertThat(shape.tokens()).isEqualTo(OptionalLong.of(512));
    assertThat(shape.layers()).isEqualTo(4);
    assertThat(shape.hiddenSize()).isEqualTo(OptionalLong.of(7168));
    assertThat(shape.dtype()).contains("bfloat16");
    assertThat(shape.saysForAnyTokens()).isEqualTo("4 × [T, 7168] bfloat16");
    assertThat(verdict.event().tokens()).isEqualTo(512);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2047, 2048})
  void anyLengthUpToTheLimitIsGood(long tokens) {
    FileVerdict verdict = verifier.verify(SampleFiles.good("data_0.pt", tokens), KIMI);

    assertThat(verdict.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(verdict.findings()).isEmpty();
  }

  @Test
  void int32IdsAndABoolMaskOfOneRowAreGood() {
    TensorFile file =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int32", 9L)
            .layers(4, "bfloat16", 9L, 7168L)
            .tensor("loss_mask", "bool", 1L, 9L)
            .file();

    assertThat(verifier.verify(file, KIMI).findings()).isEmpty();
  }

  @Test
  void keysInAnotherOrderAreTheSameSchema() {
    TensorFile file =
        SampleFiles.torch("data_0.pt")
            .tensor("loss_mask", "int64", 9L)
            .layers(4, "bfloat16", 9L, 7168L)
            .tensor("input_ids", "int64", 9L)
            .file();

    assertThat(verifier.verify(file, KIMI).verdict()).isEqualTo(Verdict.GOOD);
  }

  @Test
  void aConnectorFileIsGood() {
    TensorFile file = connector("a.safetensors", 17, "bfloat16", 17L, 4L, 7168L);
    FileVerdict verdict = verifier.verify(file, KIMI);

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.says()).isEqualTo("4 × [17, 7168] bfloat16");
    assertThat(verdict.shape().orElseThrow().schema()).isEqualTo("vllm-connector");
  }

  @Test
  void rowsForLayersAreFoundWithAndWithoutAnExpectation() {
    TensorFile story = SampleFiles.sample("data_0.pt", 512, 771, 512L);

    FileVerdict verdict = verifier.verify(story, KIMI);
    assertThat(codes(verdict)).containsExactly("layers.count", "layers.rank");
    assertThat(verdict.findings().get(0).expected()).isEqualTo("4 × [512, 7168]");
    assertThat(verdict.findings().get(0).actual()).isEqualTo("771 × [512] bfloat16");
    assertThat(verdict.says()).isEqualTo("771 × [512] bfloat16");
    assertThat(verdict.verdict()).isEqualTo(Verdict.BAD);

    FileVerdict alone = verifier.verify(story, Expectation.NONE);
    assertThat(codes(alone)).containsExactly("layers.rank");
    assertThat(alone.findings().get(0).expected()).startsWith("L × [512, H]");
  }

  @Test
  void aLayerTooFewNamesBothNumbersAndTheSource() {
    Finding finding = only(SampleFiles.sample("data_0.pt", 9, 3, 9L, 7168L));

    assertThat(finding.code()).isEqualTo("layers.count");
    assertThat(finding.expected()).isEqualTo("4 × [9, 7168]");
    assertThat(finding.actual()).isEqualTo("3 × [9, 7168] bfloat16");
    assertThat(finding.evidence()).containsExactly("4 layers from --layers 2 30 58 60");
  }

  @Test
  void noLayersAtAllAreFoundWithoutAnExpectation() {
    TensorFile file =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 9L)
            .tensor("loss_mask", "int64", 9L)
            .file(List.of("input_ids", "hidden_states", "loss_mask"));

    assertThat(codes(verifier.verify(file, Expectation.NONE))).containsExactly("layers.count");
    assertThat(codes(verifier.verify(file, KIMI))).containsExactly("layers.count");
  }

  @Test
  void anotherHiddenSizeIsFound() {
    Finding finding = only(SampleFiles.sample("data_0.pt", 9, 4, 9L, 896L));

    assertThat(finding.code()).isEqualTo("layers.hidden-size");
    assertThat(finding.actual()).isEqualTo("4 × [9, 896] bfloat16");
  }

  @Test
  void rowsThatAreNotTheFilesOwnTokensAreFound() {
    Finding finding = only(SampleFiles.sample("data_0.pt", 10, 4, 9L, 7168L));

    assertThat(finding.code()).isEqualTo("tokens.count");
    assertThat(finding.expected()).isEqualTo("4 × [10, 7168]");
    assertThat(finding.evidence()).containsExactly("input_ids has 10 tokens");
  }

  @Test
  void oneLayerOfOtherRowsIsFound() {
    TensorFile file =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 9L)
            .layers(3, "bfloat16", 9L, 7168L)
            .layers(1, "bfloat16", 8L, 7168L)
            .tensor("loss_mask", "int64", 9L)
            .file();
    Finding finding = only(file);

    assertThat(finding.code()).isEqualTo("tokens.count");
    assertThat(finding.actual()).isEqualTo("3 × [9, 7168] + 1 × [8, 7168] bfloat16");
  }

  @Test
  void layersThatDifferAreFoundWithoutAnExpectation() {
    TensorFile file =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 9L)
            .layers(3, "bfloat16", 9L, 128L)
            .layers(1, "bfloat16", 9L, 64L)
            .tensor("loss_mask", "int64", 9L)
            .file();

    assertThat(codes(verifier.verify(file, Expectation.NONE))).containsExactly("layers.differ");
  }

  @Test
  void transposedLayersAreCalledTransposed() {
    FileVerdict verdict =
        verifier.verify(SampleFiles.sample("data_0.pt", 512, 4, 7168L, 512L), KIMI);

    assertThat(codes(verdict)).containsExactly("tokens.count", "layers.hidden-size");
    assertThat(verdict.findings().get(0).evidence()).contains("the layers are transposed: [H, T]");
  }

  @Test
  void aStackWithLayersFirstIsNotTakenForTokensFirst() {
    FileVerdict verdict =
        verifier.verify(connector("a.safetensors", 17, "bfloat16", 4L, 17L, 7168L), KIMI);

    assertThat(codes(verdict)).contains("layers.count", "tokens.count");
    assertThat(verdict.findings())
        .anySatisfy(
            finding ->
                assertThat(finding.evidence())
                    .contains("the layers come first: [L, T, H] instead of [T, L, H]"));
  }

  @Test
  void missingBlocksOfSixteenPointToPrefixCaching() {
    FileVerdict verdict =
        verifier.verify(connector("a.safetensors", 100, "bfloat16", 68L, 4L, 7168L), KIMI);

    assertThat(codes(verdict)).containsExactly("tokens.count");
    assertThat(verdict.findings().get(0).evidence().get(1)).contains("prefix caching");
  }

  @Test
  void aStackOfAnotherRankIsFound() {
    FileVerdict verdict =
        verifier.verify(connector("a.safetensors", 17, "bfloat16", 17L, 28672L), Expectation.NONE);

    assertThat(codes(verdict)).containsExactly("layers.rank");
    assertThat(verdict.findings().get(0).actual()).isEqualTo("hidden_states [17, 28672]");
  }

  @Test
  void dtypesThatDifferFromEachOtherOrTheModelAreFound() {
    TensorFile mixed =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 9L)
            .layers(2, "bfloat16", 9L, 7168L)
            .layers(2, "float32", 9L, 7168L)
            .tensor("loss_mask", "int64", 9L)
            .file();
    assertThat(only(mixed).code()).isEqualTo("dtype.mixed");
    assertThat(verifier.verify(mixed, KIMI).says())
        .isEqualTo("2 × [9, 7168] bfloat16 + 2 × [9, 7168] float32");

    TensorFile other = connector("a.safetensors", 17, "float32", 17L, 4L, 7168L);
    assertThat(codes(verifier.verify(other, KIMI))).containsExactly("dtype.wrong");
    assertThat(verifier.verify(other, Expectation.NONE).findings()).isEmpty();

    TensorFile whole = connector("a.safetensors", 17, "int64", 17L, 4L, 7168L);
    assertThat(codes(verifier.verify(whole, Expectation.NONE))).containsExactly("dtype.wrong");
  }

  @Test
  void aMaskOfAnotherLengthIsFound() {
    TensorFile file =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 9L)
            .layers(4, "bfloat16", 9L, 7168L)
            .tensor("loss_mask", "int64", 10L)
            .file();
    Finding finding = only(file);

    assertThat(finding.code()).isEqualTo("mask.length");
    assertThat(finding.expected()).isEqualTo("loss_mask [9]");
    assertThat(finding.actual()).isEqualTo("loss_mask [10]");
  }

  @Test
  void aMissingMaskIsFoundAndAnExtraNameIsAWarning() {
    TensorFile without =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 9L)
            .layers(4, "bfloat16", 9L, 7168L)
            .file();
    Finding missing = only(without);
    assertThat(missing.code()).isEqualTo("keys.missing");
    assertThat(missing.actual()).isEqualTo("without {loss_mask}");

    TensorFile more =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 9L)
            .layers(4, "bfloat16", 9L, 7168L)
            .tensor("loss_mask", "int64", 9L)
            .tensor("position_ids", "int64", 9L)
            .file();
    Finding extra = only(more);
    assertThat(extra.code()).isEqualTo("keys.extra");
    assertThat(extra.severity()).isEqualTo(Severity.WARNING);
    assertThat(verifier.verify(more, KIMI).verdict()).isEqualTo(Verdict.GOOD);
  }

  @Test
  void idsThatAreNoListOrNoNumbersAreFound() {
    TensorFile square =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 3L, 3L)
            .layers(4, "bfloat16", 9L, 7168L)
            .tensor("loss_mask", "int64", 9L)
            .file();
    assertThat(only(square).code()).isEqualTo("tokens.rank");

    TensorFile floating =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "float32", 9L)
            .layers(4, "bfloat16", 9L, 7168L)
            .tensor("loss_mask", "int64", 9L)
            .file();
    assertThat(only(floating).code()).isEqualTo("tokens.dtype");
    assertThat(codes(verifier.verify(SampleFiles.good("data_0.pt", 0), KIMI)))
        .containsExactly("tokens.count");
  }

  @Test
  void aSampleOverTheLimitIsAWarning() {
    Finding finding = only(SampleFiles.good("data_0.pt", 2049));

    assertThat(finding.code()).isEqualTo("tokens.over-limit");
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
  }

  @Test
  void aLayerWithoutValuesIsFound() {
    TensorFile file = SampleFiles.good("data_0.pt", 9);
    List<TensorEntry> meta =
        file.tensors().stream()
            .map(
                tensor ->
                    tensor.path().equals("hidden_states[2]")
                        ? new TensorEntry(
                            tensor.path(),
                            tensor.key(),
                            tensor.dtype(),
                            tensor.shape(),
                            tensor.stride(),
                            0,
                            null)
                        : tensor)
            .toList();
    Finding finding =
        only(
            new TensorFile(
                "data_0.pt", ContainerKind.TORCH_ZIP, 9, file.keys(), meta, List.of(), List.of()));

    assertThat(finding.code()).isEqualTo("layers.no-data");
    assertThat(finding.actual()).startsWith("hidden_states[2] without values");
  }

  @Test
  void oneTensorInPlaceOfAListIsAnotherSchema() {
    // SpecForge's dflash files have the very keys of speculators'.
    TensorFile dflash =
        SampleFiles.torch("data_0.ckpt")
            .tensor("input_ids", "int64", 9L)
            .tensor("loss_mask", "int64", 9L)
            .tensor("hidden_states", "bfloat16", 1L, 9L, 28672L)
            .file();
    FileVerdict verdict = verifier.verify(dflash, KIMI);

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.shape().orElseThrow().schema()).isEqualTo("specforge-dflash");
    assertThat(verdict.says()).isEqualTo("4 × [9, 7168] bfloat16");

    Finding other =
        verifier.verify(dflash, KIMI.withSchema("specforge-eagle3", "--schema")).findings().get(0);
    assertThat(other.code()).isEqualTo("file.schema-other");
    assertThat(other.actual()).isEqualTo("one of specforge-dflash");
    assertThat(other.evidence()).containsExactly("schema from --schema");
  }

  @Test
  void aSampleOfAnotherSchemaThanItsExtractorWritesIsAWarning() {
    TensorFile dflash = GoodSamples.named("specforge-dflash", 9, 64);

    FileVerdict verdict =
        verifier.verify(
            dflash,
            Expectation.NONE.withPlannedSchema("speculators-list", "run 1, extractor speculators"));

    assertThat(verdict.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(verdict.findings())
        .extracting(Finding::code, Finding::expected, Finding::actual)
        .containsExactly(
            tuple("file.schema-other", "a sample of speculators-list", "one of specforge-dflash"));
    assertThat(verdict.findings().get(0).evidence())
        .containsExactly("schema from run 1, extractor speculators");
  }

  @Test
  void aSchemaOfOnesOwnThatNobodyKnowsIsNotHeldAgainstFiles() {
    assertThat(
            verifier
                .verify(
                    SampleFiles.good("data_0.pt", 9),
                    KIMI.withPlannedSchema("my-own", "run 1, extractor mine"))
                .findings())
        .isEmpty();
  }

  @Test
  void whereNoSchemaFitsInEveryWayThatOfTheExtractorIsMeant() {
    // Three layers in one tensor, where the extractor writes a list: no [1, T, H*L] of SpecForge.
    TensorFile stacked =
        SampleFiles.torch("data_0.pt")
            .tensor("input_ids", "int64", 9L)
            .tensor("hidden_states", "bfloat16", 9L, 4L, 7168L)
            .tensor("loss_mask", "int64", 9L)
            .file();

    FileVerdict verdict =
        verifier.verify(stacked, KIMI.withPlannedSchema("speculators-list", "run 1"));

    assertThat(verdict.shape().orElseThrow().schema()).isEqualTo("speculators-list");
    assertThat(verdict.verdict()).isEqualTo(Verdict.BAD);
  }

  @Test
  void unknownNamesAreNamed() {
    TensorFile unknown =
        SampleFiles.torch("abc.pt")
            .tensor("ids", "int64", 9L)
            .tensor("hidden_states", "bfloat16", 9L, 7168L)
            .tensor("mask", "int64", 9L)
            .file();
    Finding finding = only(unknown);

    assertThat(finding.code()).isEqualTo("file.schema-unknown");
    assertThat(finding.actual()).contains("ids, hidden_states, mask");
    assertThat(finding.evidence()).contains("hidden_states is [9, 7168]");
    assertThat(finding.expected())
        .contains("speculators-list {hidden_states, input_ids, loss_mask}")
        .hasSizeLessThan(300);
  }

  @Test
  void aFileOfThousandsOfHostileNamesIsSaidInShort() {
    SampleFiles file = SampleFiles.torch("a.pt");
    for (int index = 0; index < 5000; index++) {
      file.tensor("\u001b[2J" + index + "x".repeat(1000), "int64", 1L);
    }
    Finding finding = only(file.file());

    assertThat(finding.actual()).hasSizeLessThan(1500).contains("and 4988 more");
    assertThat(finding.actual()).doesNotContain("\u001b");
  }

  @Test
  void aBareListOfTensorsHasNoSchema() {
    TensorFile bare =
        new TensorFile(
            "a.pt", ContainerKind.TORCH_ZIP, 9, List.of(), List.of(), List.of(), List.of());

    assertThat(only(bare).actual()).isEqualTo("torch zip file with no names and 0 tensors");
  }

  @Test
  void aCutFileIsNotAlsoCalledUnknown() {
    Finding cut = Finding.of("file.cut", Severity.ERROR, "a.pt", "9 bytes", "5 bytes");
    TensorFile file =
        new TensorFile(
            "a.pt", ContainerKind.FOREIGN, 5, List.of(), List.of(), List.of(), List.of(cut));
    FileVerdict verdict = verifier.verify(file, KIMI);

    assertThat(verdict.findings()).containsExactly(cut);
    assertThat(verdict.verdict()).isEqualTo(Verdict.BAD);
    assertThat(verdict.says()).isEqualTo("5 bytes");
  }

  @Test
  void layersThatAllDifferAreSaidInShort() {
    SampleFiles file = SampleFiles.torch("a.pt").tensor("input_ids", "int64", 9L);
    for (long width = 1; width <= 200; width++) {
      file.layers(1, "bfloat16", 9L, width);
    }
    FileVerdict verdict =
        verifier.verify(file.tensor("loss_mask", "int64", 9L).file(), Expectation.NONE);

    assertThat(codes(verdict)).containsExactly("layers.differ");
    assertThat(verdict.says()).isEqualTo("1 × [9, 1] + 1 × [9, 2] + 1 × [9, 3] + … bfloat16");
    assertThat(verdict.shape().orElseThrow().layers()).isEqualTo(200);
  }

  private Finding only(TensorFile file) {
    List<Finding> findings = verifier.verify(file, KIMI).findings();
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  private static List<String> codes(FileVerdict verdict) {
    return verdict.findings().stream().map(Finding::code).toList();
  }

  private static TensorFile connector(String path, long tokens, String dtype, Long... shape) {
    return SampleFiles.safetensors(path)
        .tensor("hidden_states", dtype, shape)
        .tensor("token_ids", "int64", tokens)
        .file();
  }
}
