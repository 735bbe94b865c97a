package dev.eagle3.demo;

import static dev.eagle3.verify.ValueVerifier.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.cause.CauseFinder;
import dev.eagle3.cause.Explanation;
import dev.eagle3.cause.RunFacts;
import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Exit;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.VerifyResult;
import dev.eagle3.verify.deep.DeepVerifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The stand-in extraction script leaves files as each cause does. */
@Tag("slow")
class StandInFaultsTest {
  private static final Expectation KIMI =
      Expectation.NONE
          .withLayers(4, "flags")
          .withHiddenSize(7168, "config.json")
          .withSamples(10, "tokenized_data.jsonl")
          .withBatchSize(2, "run r")
          .withModelLayers(61, "config.json")
          .withOtherSizes(Map.of(512L, "text_config.kv_lora_rank"));

  private static final RunFacts RUN =
      new RunFacts(OptionalInt.of(8), OptionalLong.empty(), "run r");

  @TempDir Path root;

  static List<String> causes() {
    return CauseFinder.codes().stream().filter(DemoFault.codes()::contains).toList();
  }

  @ParameterizedTest
  @MethodSource("causes")
  void everyCauseCanBeShownAndIsNamed(String code) throws Exception {
    DemoFault fault = DemoFault.ofCode(code).orElseThrow();
    VerifyResult result = extract(fault.layers(), code, fault.isOfValues());

    boolean spoilsNothing = fault == DemoFault.WHOLE_STORAGE;
    assertThat(result.exit()).isEqualTo(spoilsNothing ? Exit.DONE : Exit.WRONG);
    assertThat(result.files())
        .as("files that are whole as files")
        .flatExtracting(FileVerdict::findings)
        .noneMatch(finding -> finding.code().startsWith("file.") && !spoilsNothing);
    Explanation why = new CauseFinder().explain(result.files(), expected(fault.layers()), RUN);
    assertThat(why.causes()).extracting(Cause::code).containsExactly(code);
    assertThat(why.causes().get(0).says()).doesNotStartWith("probably");
  }

  @Test
  void everyCauseButThoseOfLawsIsAFaultOfTheDemo() {
    assertThat(causes())
        .containsExactlyElementsOf(
            CauseFinder.codes().stream().filter(code -> !code.startsWith("law.")).toList());
  }

  @Test
  void withoutAFaultAllIsWell() throws Exception {
    List<String> layers = List.of("2", "30", "58", "60");
    VerifyResult result = extract(layers, "", true);

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    Explanation why = new CauseFinder().explain(result.files(), expected(layers), RUN);
    assertThat(why.causes()).isEmpty();
    assertThat(why.notes()).isEmpty();
  }

  private static Expectation expected(List<String> layers) {
    return KIMI.withLayerIds(layers.stream().map(Integer::valueOf).toList(), "run r");
  }

  private VerifyResult extract(List<String> layers, String fault, boolean deep) throws Exception {
    DemoFolder folder = DemoFolder.create(root);
    ProcessBuilder builder =
        new ProcessBuilder(
            "python3",
            folder.script().toString(),
            "--model-path",
            folder.model().toString(),
            "--prepared-data",
            folder.preparedData().toString(),
            "--output-dir",
            folder.output().toString(),
            "--batch-size",
            "2",
            "--tp-size",
            "8",
            "--layer-ids");
    builder.command().addAll(layers);
    builder.environment().put("EAGLE3_STAND_IN_FAULT", fault);
    builder.environment().put("EAGLE3_STAND_IN_PACE", "0");
    builder.redirectErrorStream(true).redirectOutput(root.resolve("printed").toFile());
    Process script = builder.start();
    assertThat(script.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(script.exitValue()).isZero();
    LocalFileTree files = new LocalFileTree();
    return new FolderVerifier(files, 2, deep ? new DeepVerifier(files, path -> true) : NONE)
        .verify(List.of(folder.output().toString()), expected(layers), event -> {});
  }
}
