package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job from the command line, against a real OpenSSH server. */
@Tag("slow")
class MainJobTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;

  @Test
  void extractLaunchesFollowsVerifiesAndPulls() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path home = folder.resolve("pulled");

      CommandLineRun run = extract(host, "--pull", home.toString());

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains("eagle3: 10 of 10 good · 4 × [T, 7168] bfloat16 · ");
      assertThat(run.err()).contains("shards 119/119").contains("batches 5/5");
      assertSameFiles(host.files().output(), home);
      assertThat(host.files().log()).isSymbolicLink();
      assertThat(Files.readString(host.files().log())).contains("Data generation complete!");
    }
  }

  @Test
  void theRunSurvivesKillMinus9OfItsClientAndNothingIsLost() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_PACE", "0.04"))) {
      Process client = spawn(host, "extract");
      Await.until(() -> log(host).contains("shards:  1"));
      client.destroyForcibly().waitFor();
      Await.until(() -> host.server().connections() == 0);
      assertThat(command(host, "status").err() + command(host, "status").out()).contains("running");

      CommandLineRun tail = command(host, "tail-log");

      assertThat(tail.code()).as(tail.err()).isZero();
      assertThat(tail.out().lines().filter(line -> line.contains("Data generation complete!")))
          .hasSize(1);
      assertThat(tail.out().lines().filter(line -> line.contains("Model loading took"))).hasSize(8);
      CommandLineRun verified = command(host, "verify-shapes");
      assertThat(verified.code()).as(verified.err()).isZero();
      assertThat(verified.out()).contains("10 of 10 good");
      Path home = folder.resolve("home");
      CommandLineRun pulled = command(host, "pull", "--to", home.toString());
      assertThat(pulled.code()).as(pulled.err()).isZero();
      assertSameFiles(host.files().output(), home);
      assertThat(command(host, "pull", "--to", home.toString()).out()).contains("10 of 10");
    }
  }

  @Test
  void ctrlCLeavesTheRunAliveAndSaysHowToComeBack() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_PACE", "0.04"))) {
      Process client = spawn(host, "extract");
      Await.until(() -> log(host).contains("shards:  1"));

      signal(client, "INT");

      assertThat(client.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(client.exitValue()).isEqualTo(14);
      assertThat(Files.readString(folder.resolve("client.err")))
          .contains("eagle3 tail-log ")
          .contains("--host " + host.server().target());
      assertThat(command(host, "tail-log").code()).isZero();
    }
  }

  @Test
  void aLostConnectionIsMadeAgainAndTheFlowGoesOn() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_PACE", "0.04"))) {
      Process client = spawn(host, "extract");
      Await.until(() -> log(host).contains("shards:  1"));

      host.server().cutConnections();

      assertThat(client.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(folder.resolve("client.err")))
          .contains(" was lost; connecting again");
      assertThat(client.exitValue()).isZero();
      assertThat(Files.readString(folder.resolve("client.out"))).contains("10 of 10 good");
    }
  }

  @Test
  void aConnectionThatCannotBeMadeAgainIsToldAndTheRunGoesOn() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_PACE", "0.04"))) {
      Process client = spawn(host, "extract", "--give-up-after", "0");
      Await.until(() -> log(host).contains("shards:  1"));

      host.server().goAway();

      assertThat(client.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(client.exitValue()).isEqualTo(17);
      host.server().comeBack();
      assertThat(Files.readString(folder.resolve("client.err")))
          .contains("the connection was lost")
          .contains("try: eagle3 tail-log ");
      assertThat(command(host, "tail-log").code()).isZero();
      assertThat(command(host, "verify-shapes").out()).contains("10 of 10 good");
    }
  }

  @Test
  void theStoryIsNamedAndExitsWith16() throws Exception {
    try (StandInHost host =
        StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_FAULT", "layers.reply-unwrapped"))) {
      CommandLineRun run = extract(host, "--pull", folder.resolve("home").toString());

      assertThat(run.code()).isEqualTo(16);
      assertThat(run.out()).contains("771 = 512 + 259").contains("layers.reply-unwrapped");
      assertThat(folder.resolve("home")).doesNotExist();
      CommandLineRun again = command(host, "verify-shapes");
      assertThat(again.code()).isEqualTo(16);
      assertThat(again.out()).contains("771 = 512 + 259");
    }
  }

  @Test
  void aRunThatFailsExitsWith13NamesTheCauseAndPutsPreviousOutputBack() throws Exception {
    try (StandInHost host =
        StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_FAULT", "gpu.out-of-memory"))) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");

      CommandLineRun run = extract(host);

      assertThat(run.code()).isEqualTo(13);
      assertThat(run.out()).contains("gpu.out-of-memory");
      assertThat(old).hasContent("old");
      CommandLineRun tail = command(host, "tail-log", "-n", "3");
      assertThat(tail.code()).isEqualTo(13);
      assertThat(tail.out()).contains("OutOfMemoryError");
    }
  }

  @Test
  void previousOutputIsSetAsideAndUndoPutsItBack() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");

      CommandLineRun run = extract(host);

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(Files.size(old)).isGreaterThan(1000);
      assertThat(run.err()).contains(".before-").contains("eagle3 undo ");
      CommandLineRun undone = command(host, "undo");
      assertThat(undone.code()).as(undone.err()).isZero();
      assertThat(old).hasContent("old");
      assertThat(command(host, "undo").code()).isEqualTo(11);
    }
  }

  @Test
  void aHeldGpuIsRefusedBeforeAnythingIsTouchedAndClearedWhenAsked() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path device = host.files().devices().resolve("nvidia3");
      Process holder =
          new ProcessBuilder(
                  "python3",
                  "-c",
                  "import mmap,sys,time; f=open(sys.argv[1],'r+b'); m=mmap.mmap(f.fileno(),4096);"
                      + " print('held', flush=True); time.sleep(600)",
                  device.toString())
              .start();
      try {
        assertThat(holder.inputReader().readLine()).isEqualTo("held");

        CommandLineRun refused = extract(host);
        assertThat(refused.code()).isEqualTo(11);
        assertThat(refused.err()).contains("pid " + holder.pid());
        CommandLineRun unasked = extract(host, "--clear-gpus", "all");
        assertThat(unasked.code()).isEqualTo(11);
        assertThat(unasked.err()).contains("--yes");
        assertThat(holder.isAlive()).isTrue();
        assertThat(host.files().output()).doesNotExist();

        CommandLineRun cleared = extract(host, "--clear-gpus", "all", "--yes");
        assertThat(cleared.code()).as(cleared.err()).isZero();
        assertThat(holder.isAlive()).isFalse();
      } finally {
        holder.destroyForcibly();
      }
    }
  }

  @Test
  void detachReturnsAndTheRunGoesOn() throws Exception {
    // Longer than a second launch takes to be refused, also where much else runs.
    Map<String, String> slow = Map.of("EAGLE3_STAND_IN_BATCH_SECONDS", "5");
    try (StandInHost host = StandInHost.start(folder, slow)) {
      CommandLineRun run = extract(host, "--detach");

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err()).contains("eagle3 tail-log ");
      CommandLineRun second = extract(host);
      assertThat(second.code()).isEqualTo(11);
      assertThat(command(host, "tail-log").code()).isZero();
      assertThat(command(host, "runs").out()).contains("finished");
    }
  }

  private CommandLineRun extract(StandInHost host, String... more) {
    List<String> words =
        new ArrayList<>(List.of("extract", "--profile", host.profile().toString()));
    words.addAll(List.of(more));
    return run(host, words);
  }

  private CommandLineRun command(StandInHost host, String command, String... more) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of(more));
    return run(host, words);
  }

  private static CommandLineRun run(StandInHost host, List<String> words) {
    return CommandLineRun.at(
        host.server().clientHome(),
        Map.of("EAGLE3_HOST", host.server().target()),
        words.toArray(String[]::new));
  }

  /** A client of its own process, as a user starts it. */
  private Process spawn(StandInHost host, String command, String... more) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.eagle3.cli.Main",
            command,
            "--host",
            host.server().target(),
            "--profile",
            host.profile().toString());
    builder.command().addAll(List.of(more));
    builder.environment().put("HOME", host.server().clientHome().toString());
    builder.redirectOutput(folder.resolve("client.out").toFile());
    builder.redirectError(folder.resolve("client.err").toFile());
    return builder.start();
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }

  private static String log(StandInHost host) {
    try {
      return Files.exists(host.files().log())
          ? Files.readString(host.files().log(), StandardCharsets.UTF_8)
          : "";
    } catch (IOException notYet) {
      return "";
    }
  }

  private static void assertSameFiles(Path expected, Path actual) throws IOException {
    assertThat(names(actual)).isEqualTo(names(expected)).hasSize(10);
    for (String name : names(expected)) {
      assertThat(actual.resolve(name)).hasSameBinaryContentAs(expected.resolve(name));
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }
}
