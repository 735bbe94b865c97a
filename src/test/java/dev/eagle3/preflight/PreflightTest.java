package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real scripts and interpreters against real files, each in one bad state. */
class PreflightTest {
  @TempDir Path folder;

  private ReadyHost host;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder);
  }

  @Test
  void aHostOnWhichAllIsReadyIsNotRefused() {
    assertThat(host.check()).isEmpty();
    assertThat(host.said("model-shards")).singleElement().asString().contains("119 of 119 shards");
    assertThat(host.said("script-flags")).containsExactly("ok: the script knows its 8 flags");
    assertThat(host.said("layer-ids")).containsExactly("ok: layers 2 30 58 60 of 0 to 60");
    assertThat(host.said("gpu-count")).containsExactly("ok: 8 GPUs for --tp-size 8");
  }

  @Test
  void nothingIsChanged() throws IOException {
    assertThat(host.check()).isEmpty();

    assertThat(host.files.home()).isEmptyDirectory();
    assertThat(host.files.output()).doesNotExist();
    try (var all = Files.walk(folder)) {
      assertThat(all.filter(path -> path.toString().contains("__pycache__"))).isEmpty();
    }
  }

  @Test
  void aRefusalNamesWhatLeavesItOut() {
    host.set("layers", "2", "61");

    Failure failure = host.refused();

    assertThat(failure.problem())
        .isEqualTo("the model has no layer 61: it has 61 layers, and ids go from 0 to 60");
    assertThat(failure.tryNext().orElse("")).contains("--skip layer-ids");
    assertThat(host.check("layer-ids")).isEmpty();
    assertThat(host.said("layer-ids")).containsExactly("note: skipped: --skip layer-ids");
  }

  @Test
  void allThatIsCertainToFailIsToldAtOnce() {
    host.set("layers", "99");
    host.set("script", "/nowhere/x.py");
    host.set("prepared-data", "/nowhere/data.jsonl");

    assertThat(host.refused().problem())
        .contains("the model has no layer 99")
        .contains("the script --script /nowhere/x.py is not there")
        .contains("--prepared-data /nowhere/data.jsonl is not there");
  }

  @Test
  @Hostile("the output folder would stand below a file")
  void anOutputFolderBelowAFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    host.set("output-dir", file.resolve("deep/hidden_states").toString());

    assertThat(host.refused().problem()).contains("cannot be written").contains("is no folder");
  }

  @Test
  void anotherRunThatHasTheFolderIsAWarningUntilItHasEnded() throws IOException {
    Path run = Files.createDirectories(folder.resolve("state/runs/20260101-000000-abcd"));
    Path lock = Files.createDirectory(folder.resolve("hidden_states.eagle3-lock"));
    Files.writeString(lock.resolve("20260101-000000-abcd"), run + "\n");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("output-lock"))
        .singleElement()
        .asString()
        .startsWith("warning: run 20260101-000000-abcd has the output folder");

    Files.writeString(run.resolve("exit.0"), "");
    assertThat(host.check()).isEmpty();
    assertThat(host.said("output-lock")).isEmpty();
  }

  @Test
  void fewerGpusThanTheJobNeedsAreRefused() {
    host.set("tp-size", "16");

    assertThat(host.refused().problem()).contains("has 8 GPUs for --tp-size 16");
  }

  @Test
  @Hostile("nvidia-smi fails while GPUs are counted")
  void gpusAreCountedWithoutNvidiaSmiTooAndThatIsNoProof() throws IOException {
    Files.writeString(host.files.bin().resolve("nvidia-smi"), "#!/bin/sh\nexit 9\n");
    host.set("tp-size", "16");

    assertThat(host.check()).isEmpty();
    assertThat(host.said("gpu-count"))
        .containsExactly(
            "warning: has 8 GPUs for --tp-size 16, by the devices in /dev: nvidia-smi does not list"
                + " them");
  }

  /** Model, data and script are copied to a disk of the host before the job starts. */
  @Test
  void whatSetupMakesIsOnlyAWarning() {
    host.set("model-path", "/local/staged/m");
    host.set("prepared-data", "/local/staged/data.jsonl");
    host.set("script", "/local/staged/extract.py");
    assertThat(host.check()).isPresent();

    host.set("setup", "cp -r /shared/staged /local/");

    assertThat(host.check()).isEmpty();
    assertThat(host.troubles())
        .contains(
            "model-path: --model-path /local/staged/m is not there, unless setup changes that",
            "prepared-data: --prepared-data /local/staged/data.jsonl is not there, unless setup"
                + " changes that",
            "script: the script --script /local/staged/extract.py is not there, unless setup"
                + " changes that");
  }

  @Test
  void whatAWrappedJobSeesIsOnlyAWarning() {
    host.set("python", "/opt/inside/python3");
    host.flags.put("wrap", java.util.List.of("apptainer exec --nv img.sif"));

    Optional<Failure> failure = host.check();

    assertThat(failure).isEmpty();
    assertThat(host.troubles()).anyMatch(line -> line.startsWith("interpreter: "));
  }
}
