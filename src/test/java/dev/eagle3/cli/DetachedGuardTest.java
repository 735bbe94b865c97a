package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that nobody watches, against a real OpenSSH server. */
@Tag("slow")
class DetachedGuardTest {
  private static final String BATCH_SECONDS = "EAGLE3_STAND_IN_BATCH_SECONDS";
  private static final String CUT = "EAGLE3_STAND_IN_CUT";

  /** Batches that take so long that a run which is not ended takes many minutes. */
  private static final String LONG = "300";

  @TempDir Path folder;

  @Test
  @Hostile("the first sample is cut and nobody watches")
  void aDetachedRunWhoseFirstSampleIsCutIsEndedByItsGuard() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of(CUT, "0,1", BATCH_SECONDS, LONG))) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");
      assertThat(detach(host).code()).isZero();
      awaitEnd(host);

      CommandLineRun status = command(host, "status");

      assertThat(status.code()).as(status.out() + status.err()).isEqualTo(16);
      assertThat(status.out())
          .contains("[file.cut]")
          .containsOnlyOnce("/data_0.pt")
          .doesNotContain("[run.killed]");
      assertThat(status.out() + status.err())
          .contains("the run was ended by eagle3, since data_0.pt, of its first batch, is damaged")
          .contains("eagle3 verify-shapes", "eagle3 undo");
      assertThat(command(host, "runs").out()).contains("it was ended by eagle3, since data_0.pt");
      assertThat(command(host, "status", "--json").out())
          .contains("\"type\":\"finding\"", "\"code\":\"file.cut\"", "\"exit\":16");
      for (String command : List.of("tail-log", "wait")) {
        CommandLineRun after = command(host, command);
        assertThat(after.code()).as(after.err()).isEqualTo(16);
        assertThat(after.out() + after.err()).contains("the run was ended by eagle3, since data_0");
      }
      assertNothingIsLeft(host);

      assertThat(command(host, "undo").code()).isZero();
      assertThat(old).hasContent("old");
      assertThat(command(host, "status").err()).doesNotContain("eagle3 undo");
    }
  }

  @Test
  @Hostile("the reply of a worker was unwrapped twice and nobody watches")
  void theStoryIsEndedByItsGuardToo() throws Exception {
    try (StandInHost host =
        StandInHost.start(
            folder,
            Map.of("EAGLE3_STAND_IN_FAULT", "layers.reply-unwrapped", BATCH_SECONDS, LONG))) {
      assertThat(detach(host).code()).isZero();
      awaitEnd(host);

      CommandLineRun status = command(host, "status");

      assertThat(status.code()).as(status.err()).isEqualTo(16);
      assertThat(status.out())
          .contains("[layers.count]", "4 × [512, 7168]", "771 × [512]", "771 × [259]");
      assertThat(status.err()).contains("all of its first batch has the wrong form (layers.count)");
      assertThat(command(host, "verify-shapes", "latest").out())
          .contains("[layers.reply-unwrapped]");
    }
  }

  @Test
  @Hostile("the server is away when the first sample is saved, which is cut")
  void aClientThatComesBackFindsTheRunEndedByItsGuardAndDoesTheRest() throws Exception {
    try (StandInHost host =
        StandInHost.start(
            folder, Map.of(CUT, "0,1", BATCH_SECONDS, LONG, "EAGLE3_STAND_IN_PACE", "0.03"))) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");
      CompletableFuture<CommandLineRun> run =
          CompletableFuture.supplyAsync(
              () -> command(host, "extract", "--profile", host.profile().toString()));
      Await.until(
          () ->
              Files.exists(host.files().log())
                  && Files.readString(host.files().log()).contains("shards:  1"));
      host.server().goAway();
      awaitEnd(host);
      host.server().comeBack();

      CommandLineRun done = run.get(4, TimeUnit.MINUTES);

      assertThat(done.code()).as(done.err()).isEqualTo(16);
      assertThat(done.err())
          .contains("the run was ended by eagle3, since data_0.pt, of its first batch, is damaged");
      assertThat(done.out()).contains("[file.cut]").doesNotContain("[run.killed]");
      assertThat(old).hasContent("old");
    }
  }

  @Test
  @Hostile("two that follow a run see its guard end it")
  void whoeverFollowsARunThatItsGuardEndsHearsOfEachThingOnce() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of(CUT, "0,1", BATCH_SECONDS, LONG))) {
      assertThat(detach(host).code()).isZero();
      CompletableFuture<CommandLineRun> tail =
          CompletableFuture.supplyAsync(() -> command(host, "tail-log"));
      CompletableFuture<CommandLineRun> wait =
          CompletableFuture.supplyAsync(() -> command(host, "wait", "--until", "done"));

      for (CompletableFuture<CommandLineRun> one : List.of(tail, wait)) {
        CommandLineRun run = one.get(4, TimeUnit.MINUTES);
        assertThat(run.code()).as(run.err()).isEqualTo(16);
        assertThat(run.out() + run.err())
            .containsOnlyOnce("the run was ended by eagle3, since data_0.pt")
            .containsPattern("(?s)/data_0\\.pt.*file\\.cut")
            .doesNotContainPattern("(?s)file\\.cut.*file\\.cut.*file\\.cut");
      }
    }
  }

  @Test
  void aGoodRunEndsWellAndNoGuardIsLeft() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of(BATCH_SECONDS, "3"))) {
      assertThat(detach(host).code()).isZero();
      awaitGuard(host);

      CommandLineRun waited = command(host, "wait");

      assertThat(waited.code()).as(waited.err()).isZero();
      assertThat(guardNotes(host)).isBlank();
      CommandLineRun status = command(host, "status");
      assertThat(status.code()).isZero();
      assertThat(status.out()).contains("exited with 0");
      assertNothingIsLeft(host);
    }
  }

  @Test
  void onBadWarnLetsADetachedRunGoOnAndItsStatusSaysWhatIsBad() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of(CUT, "0,1", BATCH_SECONDS, "3"))) {
      assertThat(detach(host, "--on-bad", "warn").code()).isZero();
      Await.until(() -> guardNotes(host).contains("file.cut"));

      CommandLineRun status = command(host, "status");

      assertThat(status.code()).as(status.err()).isZero();
      assertThat(status.out()).contains("[file.cut]", "/data_0.pt");
      CommandLineRun waited = command(host, "wait");
      assertThat(waited.code()).as(waited.err()).isZero();
    }
  }

  @Test
  @Hostile("the wrapper of a run is killed")
  void aGuardEndsWithTheWrapperOfItsRunAndIsNoneOfItsProcesses() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of(BATCH_SECONDS, LONG))) {
      assertThat(detach(host).code()).isZero();
      awaitGuard(host);
      long wrapper = Long.parseLong(Files.readString(run(host).resolve("pid")).split("\t", 2)[0]);

      ProcessHandle.of(wrapper).orElseThrow().destroyForcibly();

      Await.until(() -> guards(host).isEmpty());
      CommandLineRun status = command(host, "status", "--json");
      assertThat(status.out()).contains("\"state\":\"orphaned\"");
      CommandLineRun stopped = command(host, "stop", "--yes", "--kill-after", "1s");
      assertThat(stopped.code()).as(stopped.err()).isZero();
      assertNothingIsLeft(host);
    }
  }

  @Test
  @Hostile("the job is killed with SIGKILL")
  void aGuardEndsWithAJobThatWasKilled() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of(BATCH_SECONDS, LONG))) {
      assertThat(detach(host).code()).isZero();
      awaitGuard(host);
      assertThat(command(host, "stop", "--yes", "--kill-after", "0s").code()).isZero();

      assertNothingIsLeft(host);
      CommandLineRun status = command(host, "status");
      assertThat(status.code()).isEqualTo(13);
      assertThat(status.out()).contains("[run.killed]").doesNotContain("ended by eagle3");
    }
  }

  private static void awaitGuard(StandInHost host) {
    Await.until(() -> guards(host).stream().anyMatch(command -> command.contains("guard.py")));
  }

  private static void assertNothingIsLeft(StandInHost host) {
    Await.until(() -> guards(host).isEmpty());
  }

  /** Command lines of guards, and of what they started, of runs of this host. */
  private static List<String> guards(StandInHost host) throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(one -> one.getFileName().toString().matches("[0-9]+"))
          .map(DetachedGuardTest::commandLine)
          .filter(command -> command.contains(host.state() + "/runs/"))
          .filter(command -> command.contains("guard") || command.contains("stop.sh"))
          .toList();
    }
  }

  /** Words with blanks between them; empty for a process that is over. */
  private static String commandLine(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), ISO_8859_1).replace('\0', ' ');
    } catch (IOException over) {
      return "";
    }
  }

  private static void awaitEnd(StandInHost host) {
    Await.until(
        () -> {
          try (Stream<Path> files = Files.list(run(host))) {
            return files.anyMatch(file -> file.getFileName().toString().matches("exit\\.[0-9]+"));
          }
        });
  }

  private static String guardNotes(StandInHost host) throws IOException {
    return Files.readString(run(host).resolve("guard.jsonl"));
  }

  private static Path run(StandInHost host) throws IOException {
    try (Stream<Path> runs = Files.list(host.state().resolve("runs"))) {
      return runs.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  private static CommandLineRun detach(StandInHost host, String... more) {
    List<String> words =
        new ArrayList<>(List.of("extract", "--detach", "--profile", host.profile().toString()));
    words.addAll(List.of(more));
    return command(host, words.toArray(String[]::new));
  }

  private static CommandLineRun command(StandInHost host, String... words) {
    return CommandLineRun.at(
        host.server().clientHome(), Map.of("EAGLE3_HOST", host.server().target()), words);
  }
}
