package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.Launched;
import dev.eagle3.run.RunBench;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program reads that waits for a run: JSON Lines and nothing else, whatever the end. */
@Tag("slow")
class WaitJsonTest {
  @TempDir Path folder;
  private RunBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aRunThatIsDone() throws IOException {
    bench.launch(bench.plan("echo up; sleep 0.2; exit 0\n"));

    assertEnds(waiting(), 0);
  }

  @Test
  void aRunThatFailsHasItsCause() throws IOException {
    bench.launch(bench.plan("echo 'RuntimeError: CUDA out of memory. Tried to'; exit 1\n"));

    CommandLineRun run = waiting();

    assertEnds(run, 13);
    assertThat(run.out()).contains("\"type\":\"state\"", "\"code\":1");
  }

  @Test
  void patienceThatEnds() throws IOException {
    bench.launch(bench.plan("echo up; exec sleep 600\n"));

    CommandLineRun run = waiting("--timeout", "1s");

    assertEnds(run, 14);
    assertThat(run.out()).contains("is not done after 1s", "\"type\":\"hint\"");
  }

  @Test
  @Hostile("a run that somebody stops while a program waits for it")
  void aRunThatIsStopped() throws Exception {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    RunBench.awaitText(bench.folder(plan).resolve("log"));
    CompletableFuture<CommandLineRun> waiting = CompletableFuture.supplyAsync(this::waiting);

    assertThat(run("stop", "--yes").code()).isZero();

    CommandLineRun run = waiting.get(2, TimeUnit.MINUTES);
    assertEnds(run, 13);
    assertThat(run.out()).contains("\"state\":\"killed\"", "\"code\":\"run.stopped\"");
  }

  @Test
  @Hostile("a run that is gone without a trace while a program waits for it")
  void aRunThatIsLost() throws Exception {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    String job = RunBench.awaitText(bench.folder(plan).resolve("log")).strip();
    CompletableFuture<CommandLineRun> waiting = CompletableFuture.supplyAsync(this::waiting);

    RunBench.signal("KILL", launched.pid());
    RunBench.signal("KILL", Long.parseLong(job));

    CommandLineRun run = waiting.get(2, TimeUnit.MINUTES);
    assertEnds(run, 13);
  }

  @Test
  @Hostile("a server that goes away while a program waits for a run")
  void aConnectionThatIsLost() throws Exception {
    try (StandInHost host =
        StandInHost.start(folder.resolve("far"), Map.of("EAGLE3_STAND_IN_BATCH_SECONDS", "60"))) {
      CommandLineRun launched =
          HandStarted.command(host, "extract", "--profile", host.profile().toString(), "--detach");
      assertThat(launched.code()).as(launched.err()).isZero();
      CompletableFuture<CommandLineRun> waiting =
          CompletableFuture.supplyAsync(
              () -> HandStarted.command(host, "wait", "--json", "--give-up-after", "0"));
      Await.until(() -> Files.readString(host.files().log()).contains(" 1/5 "));
      Await.until(() -> host.server().connections() > 0);

      host.server().goAway();

      assertEnds(waiting.get(4, TimeUnit.MINUTES), 17);
    }
  }

  @Test
  void aRunThatIsNotThere() {
    assertEnds(waiting(), 11);
  }

  private static void assertEnds(CommandLineRun run, int code) {
    assertThat(run.code()).as(run.err() + run.out()).isEqualTo(code);
    List<String> lines = run.out().lines().toList();
    assertThat(lines)
        .allSatisfy(line -> assertThat(line).startsWith("{\"v\":1,\"type\":\"").endsWith("}"));
    assertThat(lines.get(lines.size() - 1)).contains("\"type\":\"end\"", "\"exit\":" + code + ",");
    assertThat(lines).filteredOn(line -> line.contains("\"type\":\"end\"")).hasSize(1);
  }

  private CommandLineRun waiting(String... more) {
    List<String> words = new ArrayList<>(List.of("wait", "--json"));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  private CommandLineRun run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--host", "local"));
    return CommandLineRun.at(
        bench.home(),
        Map.of("PATH", System.getenv("PATH"), "HOME", bench.home().toString()),
        all.toArray(String[]::new));
  }
}
