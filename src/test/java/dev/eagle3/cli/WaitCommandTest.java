package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting for a run, against a real OpenSSH server. */
@Tag("slow")
class WaitCommandTest {
  @TempDir Path folder;

  @Test
  void aRunIsWaitedForUntilItHasLoadedHasSavedAndIsDone() throws Exception {
    try (StandInHost host =
        StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_BATCH_SECONDS", "2"))) {
      launch(host);

      CommandLineRun loaded = command(host, "wait", "--until", "loaded");
      assertThat(loaded.code()).as(loaded.err()).isZero();
      assertThat(loaded.err()).contains("the model is loaded");
      assertThat(Files.readString(host.files().log())).contains("Model loading took");
      CommandLineRun sample = command(host, "wait", "--until", "first-sample");
      assertThat(sample.code()).as(sample.err()).isZero();
      assertThat(sample.err()).contains("its first good sample is saved");
      assertThat(host.files().output().resolve("data_0.pt")).exists();
      CommandLineRun done = command(host, "wait");
      assertThat(done.code()).as(done.err()).isZero();
      assertThat(Files.readString(host.files().log())).contains("Data generation complete!");
      for (String until : List.of("loaded", "first-sample", "done")) {
        assertThat(command(host, "wait", "--until", until).code()).as("of old: " + until).isZero();
      }
    }
  }

  @Test
  @Hostile("a run that fails before what is waited for")
  void aRunThatFailsBeforeIsExplained() throws Exception {
    try (StandInHost host =
        StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_FAULT", "gpu.out-of-memory"))) {
      launch(host);

      CommandLineRun wait = command(host, "wait", "--until", "first-sample");

      assertThat(wait.code()).isEqualTo(13);
      assertThat(wait.out()).contains("[gpu.out-of-memory]");
    }
  }

  @Test
  @Hostile("a run that exits with 0 and saves nothing good")
  void aRunWithoutAGoodSampleIsNotWaitedForForEver() throws Exception {
    try (StandInHost host =
        StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_FAULT", "layers.reply-unwrapped"))) {
      launch(host);

      CommandLineRun wait = command(host, "wait", "--until", "first-sample", "--json");

      assertThat(wait.code()).isEqualTo(16);
      assertThat(wait.out())
          .contains("\"code\":\"layers.reply-unwrapped\"")
          .contains("has saved no good sample");
    }
  }

  @Test
  void patienceEndsAndTheRunGoesOn() throws Exception {
    try (StandInHost host =
        StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_BATCH_SECONDS", "600"))) {
      launch(host);

      CommandLineRun wait = command(host, "wait", "--timeout", "2s");

      assertThat(wait.code()).as(wait.err()).isEqualTo(14);
      assertThat(wait.err()).contains("is not done after 2s").contains("wait on with");
      assertThat(command(host, "status").out()).contains("running");
      assertThat(command(host, "stop", "--yes").code()).isZero();
    }
  }

  @Test
  void aWordThatIsNoneNamesThoseThereAre() {
    CommandLineRun wait = CommandLineRun.of("wait", "--host", "gpu7", "--until", "ready");

    assertThat(wait.code()).isEqualTo(2);
    assertThat(wait.err()).contains("must be loaded, first-sample or done");
  }

  private static void launch(StandInHost host) {
    CommandLineRun launched =
        command(host, "extract", "--profile", host.profile().toString(), "--detach");
    assertThat(launched.code()).as(launched.err()).isZero();
  }

  private static CommandLineRun command(StandInHost host, String... words) {
    return CommandLineRun.at(
        host.server().clientHome(), Map.of("EAGLE3_HOST", host.server().target()), words);
  }
}
