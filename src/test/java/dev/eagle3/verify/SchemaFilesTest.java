package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Finding;
import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A good file of every schema, and what is wrong with others. T = 9, H = 64, three layers. */
class SchemaFilesTest {
  private static final Expectation THREE =
      Expectation.NONE.withLayers(3, "flags").withHiddenSize(64, "flags");

  @TempDir Path folder;

  private final SampleVerifier verifier = new SampleVerifier();

  static Stream<Schema> schemas() {
    return Schemas.KNOWN.stream();
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void aGoodFileOfEverySchemaIsGood(Schema schema) {
    TensorFile file = GoodSamples.named(schema.name(), 9, 64);
    boolean one = schema.encoding() == LayerEncoding.ONE_LAYER;

    FileVerdict verdict = verifier.verify(file, one ? THREE.withLayers(1, "flags") : THREE);

    assertThat(verdict.shape().orElseThrow().schema()).isEqualTo(schema.name());
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.shape().orElseThrow().tokens()).hasValue(9);
    assertThat(verdict.shape().orElseThrow().hiddenSize()).hasValue(64);
    assertThat(verifier.verify(file, Expectation.NONE).findings()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void whatTorchSavesIsOfItsSchemaInGzipAndInTheOlderFormatToo(Schema schema) {
    TensorFile file = GoodSamples.named(schema.name(), 9, 64);

    for (ContainerKind kind :
        List.of(ContainerKind.TORCH_ZIP_IN_GZIP, ContainerKind.TORCH_LEGACY)) {
      TensorFile packed =
          new TensorFile(file.name(), kind, 9, file.keys(), file.tensors(), List.of(), List.of());
      boolean isTorch = schema.containers().contains(ContainerKind.TORCH_ZIP);

      assertThat(
              verifier
                  .verify(packed, Expectation.NONE)
                  .shape()
                  .map(shape -> shape.schema().equals(schema.name()))
                  .orElse(false))
          .as(kind.word())
          .isEqualTo(isTorch);
    }
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void aFileOfAnotherWidthIsFoundInEverySchema(Schema schema) {
    FileVerdict verdict = verifier.verify(GoodSamples.named(schema.name(), 9, 32), THREE);

    assertThat(verdict.verdict()).isEqualTo(Verdict.BAD);
    assertThat(verdict.findings()).extracting(Finding::code).contains("layers.hidden-size");
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void rowsThatAreNotTheTokensAreFoundInEverySchema(Schema schema) {
    TensorFile file = GoodSamples.named(schema.name(), 9, 64);
    List<TensorEntry> tensors =
        file.tensors().stream()
            .map(tensor -> tensor.key().equals(schema.tokensKey()) ? longer(tensor) : tensor)
            .toList();
    TensorFile longer =
        new TensorFile(
            file.name(), file.container(), 9, file.keys(), tensors, List.of(), List.of());

    assertThat(verifier.verify(longer, THREE).findings())
        .extracting(Finding::code)
        .contains("tokens.count");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9", "9,0", "0,0,9", "12,3", ""})
  void aPackedMaskOfNothingIsAWarning(String packed) throws IOException {
    assertThat(verifier.verify(torchSpec(packed, "bfloat16"), THREE).findings())
        .extracting(Finding::code)
        .containsExactlyElementsOf(packed.isEmpty() ? List.of() : List.of("mask.all-zero"));
  }

  /** Whoever reads a mask cuts it to the sample, and fills it with 0. */
  @ParameterizedTest
  @ValueSource(strings = {"2,3,2,2", "0,1", "8,1", "2,99", "1:5,0:4", "-1,5", "a", "9,,"})
  void aPackedMaskOfAnotherLengthOrFormIsNoFault(String packed) throws IOException {
    assertThat(verifier.verify(torchSpec(packed, "bfloat16"), THREE).findings()).isEmpty();
  }

  @Test
  void aProgramThatConvertsItsLayersIsNotHeldToTheDtypeOfTheModel() throws IOException {
    Expectation half = THREE.withDtype("float16", "config.json");

    assertThat(verifier.verify(torchSpec("2,7", "bfloat16"), half).findings()).isEmpty();
    assertThat(verifier.verify(torchSpec("2,7", "float16"), half).findings()).isEmpty();
    assertThat(verifier.verify(torchSpec("2,7", "float32"), half).findings())
        .extracting(Finding::code)
        .containsExactly("dtype.wrong");
  }

  @Test
  @Hostile("SpecForge was not asked for layers and saved None in their place")
  void aSampleOfTheLastLayerAloneHasNoLayers() {
    TensorFile file = GoodSamples.named("specforge-eagle3", 9, 64);
    TensorFile without =
        new TensorFile(
            file.name(),
            file.container(),
            9,
            file.keys(),
            file.tensors().stream()
                .filter(tensor -> !tensor.key().equals("aux_hidden_state"))
                .toList(),
            List.of(),
            List.of());

    assertThat(verifier.verify(without, Expectation.NONE).findings())
        .extracting(Finding::code, Finding::actual)
        .containsExactly(
            tuple("layers.count", "aux_hidden_state holds no tensor, there is hidden_state alone"));
  }

  /** vLLM wrote its connector's files with {@code torch.save} for a while, under the same names. */
  @Test
  void whatAFileIsIsToldByItsBytesAndNotByItsName() throws IOException {
    Path path = folder.resolve("hs_0.safetensors");
    new TorchFileWriter("archive")
        .tensor("hidden_states", "bfloat16", 9, 3, 64)
        .longs("token_ids", 1, 2, 3, 4, 5, 6, 7, 8, 9)
        .write(path);
    LocalFileTree files = new LocalFileTree();

    FileVerdict verdict =
        new FileVerifier(files).verify(files.stat(path.toString()).orElseThrow(), THREE);

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.shape().orElseThrow().schema()).isEqualTo("vllm-connector");
  }

  @Test
  void theLastLayerMayOrMayNotBeCountedByWhoAsks() {
    TensorFile file = GoodSamples.named("specforge-eagle3", 9, 64);

    assertThat(verifier.verify(file, THREE).says()).isEqualTo("4 × [9, 64] bfloat16");
    assertThat(verifier.verify(file, THREE.withLayers(4, "flags")).findings()).isEmpty();
    assertThat(verifier.verify(file, THREE.withLayers(2, "flags")).findings())
        .extracting(Finding::code)
        .containsExactly("layers.count");
  }

  @Test
  void layersSideBySideAreCountedByTheWidthOfTheLast() {
    // Three of 64 where five were asked for.
    assertThat(
            verifier
                .verify(
                    GoodSamples.named("specforge-eagle3", 9, 64),
                    Expectation.NONE.withLayers(5, "--layers"))
                .findings())
        .extracting(Finding::code, Finding::actual)
        .containsExactly(tuple("layers.count", "4 × [9, 64] bfloat16"));
  }

  @Test
  void ofAWidthAloneNothingIsSaidThatIsNotKnown() {
    TensorFile file = GoodSamples.named("specforge-dflash", 9, 64);

    assertThat(verifier.verify(file, Expectation.NONE).says()).isEqualTo("1 × [9, 192] bfloat16");
    assertThat(verifier.verify(file, Expectation.NONE.withLayers(3, "x")).says())
        .isEqualTo("3 × [9, 64] bfloat16");
  }

  @Test
  void samplesOfAShardThatAreNotAsManyAsItsIdsAreFound() {
    TensorFile file =
        GoodSamples.shard(5, 9).tensor("aux_hidden_states", "bfloat16", 4L, 9L, 192L).file();

    assertThat(verifier.verify(file, THREE).findings())
        .extracting(Finding::code)
        .containsExactly("samples.uneven");
  }

  private TensorFile torchSpec(String packed, String dtype) throws IOException {
    Path path = folder.resolve("abc.pt");
    new TorchFileWriter("a")
        .tensor("input_ids", "int64", 9)
        .tensor("hidden_states", dtype, 9, 192)
        .text("data_id", "abc")
        .text("packed_loss_mask", packed)
        .text("metadata", "")
        .write(path);
    LocalFileTree files = new LocalFileTree();
    return new TensorFileReader()
        .read(RangedBytes.of(files, files.stat(path.toString()).orElseThrow()));
  }

  private static TensorEntry longer(TensorEntry tensor) {
    return new TensorEntry(
        tensor.path(),
        tensor.key(),
        tensor.dtype(),
        tensor.shape().stream().map(size -> size == 9 ? Long.valueOf(10) : size).toList(),
        tensor.stride(),
        0,
        tensor.storage());
  }
}
