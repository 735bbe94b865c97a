package dev.eagle3.expect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Plans;
import dev.eagle3.plan.PreviousOutput;
import dev.eagle3.plan.RunId;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpectationFinderTest {
  private static final String RUN = "20260930-101112-abcd";

  @TempDir Path home;

  private Path prepared;
  private Path config;

  @BeforeEach
  void makeHome() throws IOException {
    prepared = home.resolve("tokenized_data.jsonl");
    Files.writeString(
        prepared, "{\"input_ids\": [1]}\n{\"input_ids\": [2]}\n\n{\"input_ids\": [3]}");
    Files.createDirectory(home.resolve("model"));
    Files.createDirectory(home.resolve("out"));
    config = home.resolve("model/config.json");
    Files.writeString(
        config,
        "{\"text_config\": {\"hidden_size\": 7168, \"num_hidden_layers\": 61,"
            + " \"dtype\": \"bfloat16\"}}");
  }

  @Test
  void aRunSaysLayersBatchesAndLimitsAndItsModelTheSizes() throws IOException {
    FoundExpectation found = find(Expectation.NONE, plan(2, 30, 58, 60));

    Expectation expected = found.expectation();
    assertThat(expected.layers()).contains(new Sourced<>(4, "run " + RUN + ", layers 2 30 58 60"));
    assertThat(expected.batchSize()).contains(new Sourced<>(2, "run " + RUN));
    assertThat(expected.maxTokens()).contains(new Sourced<>(2048, "run " + RUN));
    assertThat(expected.hiddenSize()).contains(new Sourced<>(7168L, config + " (text_config)"));
    assertThat(expected.dtype()).contains(new Sourced<>("bfloat16", config + " (text_config)"));
    assertThat(expected.samples()).contains(new Sourced<>(3L, prepared.toString()));
    assertThat(found.findings()).isEmpty();
  }

  @Test
  void flagsWinValueByValue() throws IOException {
    Expectation flags = Expectation.NONE.withLayers(3, "--layers").withSamples(99, "--samples");

    Expectation expected = find(flags, plan(2, 30, 58, 60)).expectation();

    assertThat(expected.layers()).contains(new Sourced<>(3, "--layers"));
    assertThat(expected.samples()).contains(new Sourced<>(99L, "--samples"));
    assertThat(expected.hiddenSize().map(Sourced::value)).contains(7168L);
  }

  @Test
  void sidecarsSayWhatNothingElseDoes() throws IOException {
    Files.writeString(
        home.resolve("out/data_config.json"),
        """
        {"version": "2.0", "model": {"hidden_size": 4096}, "data": {"seq_length": 1024,
         "num_samples": 2}, "hidden_states": {"layer_ids": [2, 16, 29, 31]},
         "format": {"schema": {"hidden_states": {"num_tensors": 4}}}}
        """);
    Files.writeString(
        home.resolve("out/sample_lengths.json"), "{\"0\": 512, \"1\": 259, \"x\": 1}");
    ExpectationSources folder =
        ExpectationSources.ofFolder(Expectation.NONE, home.resolve("out").toString());

    Expectation expected = finder().find(folder).expectation();

    assertThat(expected.layers().map(Sourced::value)).contains(4);
    assertThat(expected.hiddenSize().map(Sourced::value)).contains(4096L);
    assertThat(expected.maxTokens().map(Sourced::value)).contains(1024);
    assertThat(expected.samples().map(Sourced::value)).contains(2L);
    assertThat(expected.sampleTokens()).isEqualTo(Map.of(0L, 512L, 1L, 259L));
    Expectation ofRun = find(Expectation.NONE, plan(2, 30, 58, 60)).expectation();
    assertThat(ofRun.hiddenSize().map(Sourced::value)).as("the model wins").contains(7168L);
  }

  @Test
  void manifestsOfOtherProgramsSayHowManyFilesThereAre() throws IOException {
    Path manifest = home.resolve("out/manifest.json");
    Files.writeString(
        manifest,
        """
        {"format_version": 2, "num_samples": 1000, "shard_size": 256, "dtype": "bf16",
         "aux_layer_ids": [1, 17, 32], "aux_hidden_dim": 12288}
        """);
    ExpectationSources folder =
        ExpectationSources.ofFolder(Expectation.NONE, home.resolve("out").toString());

    Expectation nemo = finder().find(folder).expectation();

    assertThat(nemo.samples()).contains(new Sourced<>(4L, manifest + ", in shards of 256"));
    assertThat(nemo.layers().map(Sourced::value)).contains(3);
    assertThat(nemo.dtype().map(Sourced::value)).contains("bfloat16");
    assertThat(nemo.hiddenSize().map(Sourced::value)).contains(4096L);

    Files.delete(manifest);
    Files.writeString(
        home.resolve("out/manifest.jsonl"),
        """
        {"split": "train", "data_id": "a", "file": "samples/aa.pt", "seq_len": 12}

        {"split": "eval", "data_id": "b", "file": "samples/bb.pt", "seq_len": 7}
        {"split": "eval", "data_id": "c", "file": "samples/cc""");
    Expectation torchSpec = finder().find(folder).expectation();
    assertThat(torchSpec.samples().map(Sourced::value)).contains(2L);
    assertThat(torchSpec.fileTokens()).isEqualTo(Map.of("samples/aa.pt", 12L, "samples/bb.pt", 7L));
  }

  @Test
  @Hostile("a manifest that is one line without an end")
  void aManifestOfNoRowsSaysNothing() throws IOException {
    Path manifest = home.resolve("out/manifest.jsonl");
    for (String text :
        List.of("", "[".repeat(100_000), "{\"file\": 1}\n{\"seq_len\": 2}\n", "\u0000\n7\n")) {
      Files.writeString(manifest, text);

      assertThat(finder().find(ofOutput()).expectation()).isEqualTo(Expectation.NONE);
    }
  }

  @Test
  void aProgramThatConvertsItsFilesIsNotHeldToTheDtypeOfTheModel() throws IOException {
    Files.writeString(
        home.resolve("out/manifest.json"), "{\"format_version\": 2, \"dtype\": \"fp16\"}");

    Expectation expected =
        finder()
            .find(
                new ExpectationSources(
                    Expectation.NONE,
                    Optional.empty(),
                    Optional.of(home.resolve("model").toString()),
                    Optional.of(home.resolve("out").toString())))
            .expectation();

    assertThat(expected.dtype().map(Sourced::value)).contains("float16");
    assertThat(expected.hiddenSize().map(Sourced::value)).contains(7168L);
  }

  @Test
  void aPlanSaysTheSchemaThatItsExtractorWrites() throws IOException {
    ExtractionPlan plan = Plans.example(home.resolve("out").toString(), "/log");

    assertThat(find(Expectation.NONE, plan).expectation().plannedSchema())
        .contains(
            new Sourced<>(
                "speculators-list", "run 20261129-171500-0a1b, extractor speculators-0.4"));
  }

  private ExpectationSources ofOutput() {
    return ExpectationSources.ofFolder(Expectation.NONE, home.resolve("out").toString());
  }

  @Test
  void aFolderWithoutAnythingExpectsNothing() throws IOException {
    ExpectationSources folder =
        ExpectationSources.ofFolder(Expectation.NONE, home.resolve("out").toString());

    assertThat(finder().find(folder)).isEqualTo(new FoundExpectation(Expectation.NONE, List.of()));
  }

  @Test
  void brokenSidecarsAndConfigsAreFindings() throws IOException {
    Files.writeString(home.resolve("out/data_config.json"), "{");
    Files.writeString(config, "not json");

    List<Finding> findings = find(Expectation.NONE, plan(2)).findings();

    assertThat(findings)
        .extracting(Finding::code)
        .containsExactly("model.config-unreadable", "sidecar.unreadable");
    assertThat(findings.get(0).actual()).isEqualTo("it is no JSON: line 1");
  }

  @Test
  void aModelWithoutAConfigIsANote() throws IOException {
    Files.delete(config);

    assertThat(only(plan(2)).code()).isEqualTo("model.sizes-unknown");
    assertThat(only(plan(2)).severity()).isEqualTo(Severity.NOTE);
  }

  @Test
  void layersThatTheModelDoesNotHaveAreWrong() throws IOException {
    Finding beyond = only(plan(2, 30, 58, 62));
    assertThat(beyond.code()).isEqualTo("layers.out-of-range");
    assertThat(beyond.severity()).isEqualTo(Severity.ERROR);
    assertThat(beyond.actual()).isEqualTo("62");
    assertThat(beyond.expected()).startsWith("0 to 60: the model has 61 layers");

    Finding boundary = only(plan(2, 30, 58, 61));
    assertThat(boundary.severity()).isEqualTo(Severity.WARNING);
    assertThat(boundary.evidence())
        .containsExactly(
            "as vLLM counts, these are what others call outputs of layers 1 29 57 60",
            "as outputs of layers, these are what vLLM calls 3 31 59 62");
    assertThat(only(plan(-1, 2)).severity()).isEqualTo(Severity.ERROR);
  }

  @Test
  void aLayerGivenTwiceIsSavedOnceAndTheOrderIsTheModels() throws IOException {
    FoundExpectation twice = find(Expectation.NONE, plan(2, 30, 30));
    assertThat(twice.expectation().layers().map(Sourced::value)).contains(2);
    assertThat(twice.findings()).extracting(Finding::code).containsExactly("layers.duplicate");

    assertThat(only(plan(60, 2)).code()).isEqualTo("layers.unsorted");
  }

  @Test
  void preparedDataThatIsNoJsonLinesIsNotCounted() throws IOException {
    Files.writeString(prepared, "{\n\"input_ids\": [1]\n}\n");
    assertNotCounted(plan(2));

    Files.delete(prepared);
    assertNotCounted(plan(2));
    Files.createDirectory(prepared);
    assertNotCounted(plan(2));
    assertThat(only(plan(2)).actual())
        .endsWith("which is not read: the samples were not compared with it");
  }

  @Test
  void preparedDataThatIsTooLargeIsNotRead() throws IOException {
    try (var file = new RandomAccessFile(prepared.toFile(), "rw")) {
      file.setLength(SampleCounter.MOST_BYTES + 1);
    }

    assertThat(only(plan(2)).actual()).startsWith("its 67108865 bytes are too many");
  }

  @Test
  void linesOverSeveralPiecesAreCountedOnce() throws IOException {
    StringBuilder lines = new StringBuilder();
    String line = "{\"input_ids\": [" + "1, ".repeat(300_000) + "1]}";
    for (int count = 0; count < 7; count++) {
      lines.append(line).append(count % 2 == 0 ? "\r\n" : "\n");
    }
    Files.writeString(prepared, lines);

    assertThat(find(Expectation.NONE, plan(2)).expectation().samples().map(Sourced::value))
        .contains(7L);
  }

  @Test
  void aScriptThatTakesAPartOfTheDataIsNotHeldToAllOfIt() throws IOException {
    ExtractionPlan part = plan(List.of("--max-samples=10"), 2);

    FoundExpectation found = find(Expectation.NONE, part);

    assertThat(found.expectation().samples()).isEmpty();
    assertThat(found.findings()).extracting(Finding::code).containsExactly("samples.not-counted");
  }

  private void assertNotCounted(ExtractionPlan plan) throws IOException {
    FoundExpectation found = find(Expectation.NONE, plan);
    assertThat(found.expectation().samples()).isEmpty();
    assertThat(found.findings()).extracting(Finding::code).containsExactly("samples.not-counted");
  }

  private Finding only(ExtractionPlan plan) throws IOException {
    List<Finding> findings = find(Expectation.NONE, plan).findings();
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  private FoundExpectation find(Expectation flags, ExtractionPlan plan) throws IOException {
    return finder().find(ExpectationSources.ofRun(flags, plan));
  }

  private static ExpectationFinder finder() {
    return new ExpectationFinder(new LocalFileTree());
  }

  private ExtractionPlan plan(Integer... layers) {
    return plan(List.of("--batch-size", "2"), layers);
  }

  private ExtractionPlan plan(List<String> arguments, Integer... layers) {
    return new ExtractionPlan(
        new RunId(RUN),
        "gpu7",
        "speculators-list",
        "/python",
        "/script.py",
        arguments,
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        home.resolve("model").toString(),
        prepared.toString(),
        home.resolve("out").toString(),
        "/log",
        List.of(layers),
        8,
        2,
        2048,
        List.of(),
        ClearGpus.SAFE,
        PreviousOutput.SET_ASIDE,
        Optional.empty());
  }
}
