package dev.eagle3.extractor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Matcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltInExtractorsTest {
  private final Extractor extractor = BuiltInExtractors.named("speculators-0.4");

  @Test
  void theNamesAreThoseOfTheFolder() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/extractors"))) {
      List<String> names =
          files.map(file -> file.getFileName().toString().replace(".yaml", "")).sorted().toList();

      assertThat(BuiltInExtractors.NAMES).isEqualTo(names);
    }
  }

  @Test
  void allOfThemAreRead() {
    for (String name : BuiltInExtractors.NAMES) {
      assertThat(BuiltInExtractors.named(name).name()).isEqualTo(name);
    }
  }

  @Test
  void theFlagsStandInTheOrderOfTheCommandLine() {
    assertThat(List.copyOf(extractor.flags().values()))
        .containsExactly(
            "--model-path",
            "--prepared-data",
            "--output-dir",
            "--batch-size",
            "--max-seq-len",
            "--tp-size",
            "--gpu-memory-utilization",
            "--layer-ids");
    assertThat(extractor.flags()).containsEntry("layers", "--layer-ids");
  }

  @Test
  void theOutputIsAFileASample() {
    assertThat(extractor.outputs())
        .isEqualTo(
            new Outputs(
                "data_{index}.pt",
                "speculators-list",
                Outputs.Padding.NONE,
                Outputs.Resume.AFTER_HIGHEST));
    assertThat(extractor.layerNumbering()).isEqualTo(LayerNumbering.OUTPUT_OF_LAYER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "gpu.out-of-memory|torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB."
            + " GPU 2 has a total capacity of 14.62 GiB of which 3.31 MiB is free. Including",
        "gpu.memory-not-free|ValueError: Free memory on device cuda:0 (19.77/22.05 GiB) on startup"
            + " is less than desired GPU memory utilization (0.9, 19.84 GiB).",
        "gpu.kv-cache-too-small|ValueError: To serve at least one request with the model's max seq"
            + " len (100000), (4.26 GiB KV cache is needed, which is larger than the available KV"
            + " cache memory (4.25 GiB).",
        "gpu.kv-cache-too-small|ValueError: To serve at least one request with the model's max seq"
            + " len (1048576), 22.5 GiB KV cache is needed, which is larger than the available KV"
            + " cache memory (17.39 GiB).",
        "host.nvcc-missing|/bin/sh: 1: /usr/local/cuda/bin/nvcc: not found",
        "run.worker-failed|RuntimeError: Worker failed with error 'CUDA out of memory', please"
            + " check the stack trace above for the root cause",
        "layers.out-of-bounds|ValueError: Layer index -1 out of bounds [0, 60]",
      })
  void otherRealLinesAreNamedToo(String code, String line) {
    assertThat(extractor.log().failures())
        .filteredOn(rule -> rule.pattern().matcher(line).find())
        .first()
        .extracting(LogFailure::code)
        .isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INFO 08-25 12:24:19 [multiproc_executor.py:520] Parent process exited, terminating worker",
        "INFO 07-04 17:35:10 [shm_broadcast.py:456] No available shared memory broadcast block"
            + " found in 60 seconds.",
        "Loading safetensors checkpoint shards:  50% Completed | 60/119 [07:30<07:22,  7.51s/it]",
        "Generating hidden states:  20%|██        | 1/5 [00:08<00:32,  8.01s/it]",
        "INFO 10-11 22:28:17 [cuda.py:371] Using Flash Attention backend on V1 engine.",
        "2026-02-09 16:36:04,871 - __main__ - INFO -   Saved 10 new data points to /root/out",
      })
  void linesOfAGoodRunNameNoFailure(String line) {
    assertThat(extractor.log().failures()).noneMatch(rule -> rule.pattern().matcher(line).find());
  }

  @Test
  void aFailureSaysTheNumbersOfItsLine() {
    LogFailure rule =
        extractor.log().failures().stream()
            .filter(one -> one.code().equals("gpu.out-of-memory"))
            .findFirst()
            .orElseThrow();
    Matcher matcher = rule.pattern().matcher(rule.example());

    assertThat(matcher.find()).isTrue();
    assertThat(List.of(matcher.group(1), matcher.group(2), matcher.group(3), matcher.group(4)))
        .containsExactly("1.88 GiB", "3", "21.96 GiB", "1.29 GiB");
  }

  @Test
  void theMilestonesEndWithDone() {
    assertThat(extractor.log().milestones())
        .extracting(LogMilestone::name)
        .startsWith("started")
        .containsSubsequence("model-loaded", "samples-starting", "samples-saved", "done")
        .endsWith("done");
  }

  @Test
  void theClientOfAServerIsToldNothingThatTheServerDecides() {
    Extractor client = BuiltInExtractors.named("speculators-0.5");

    assertThat(client.flags())
        .containsEntry("output-dir", "--output")
        .doesNotContainKeys("layers", "tp-size", "max-seq-len", "gpu-memory-utilization");
    assertThat(client.outputs())
        .isEqualTo(
            new Outputs(
                "hs_{index}.safetensors",
                "vllm-connector",
                Outputs.Padding.NONE,
                Outputs.Resume.MISSING));
    assertThat(client.layerNumbering()).isEqualTo(LayerNumbering.INPUT_OF_LAYER);
  }

  @Test
  void whatAProgramSaysWhileItWaitsIsAHeartbeat() {
    for (String name : List.of("speculators-0.4", "speculators-0.5")) {
      assertThat(BuiltInExtractors.named(name).log().heartbeats())
          .as(name)
          .singleElement()
          .satisfies(wait -> assertThat(wait.example()).contains("No available shared memory"));
    }
  }

  @Test
  void aNameThatIsNoneIsRefusedWithTheNearest() {
    assertThatThrownBy(() -> BuiltInExtractors.named("speculator-0.4"))
        .hasMessageContaining("did you mean speculators-0.4?");
    assertThatThrownBy(() -> BuiltInExtractors.named("../host/probe-host"))
        .hasMessageContaining("neither built in nor a file");
  }
}
