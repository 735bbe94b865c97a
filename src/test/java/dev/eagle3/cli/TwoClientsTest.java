package dev.eagle3.cli;

import static dev.eagle3.cli.HandStarted.command;
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

/** Several clients on one run at once, against a real OpenSSH server. */
@Tag("slow")
class TwoClientsTest {
  private static final String BATCH_SECONDS = "EAGLE3_STAND_IN_BATCH_SECONDS";

  @TempDir Path folder;

  @Test
  @Hostile("three clients on one run, one of which is interrupted")
  void whoStopsWatchingDisturbsNobody() throws Exception {
    try (StandInHost host = start(Map.of("EAGLE3_STAND_IN_PACE", "0.1"))) {
      CompletableFuture<CommandLineRun> extract = extract(host);
      awaitLog(host, "shards:  1");
      CompletableFuture<CommandLineRun> other = inBackground(host, "tail-log");
      Process interrupted = spawn(host, "tail-log");
      Await.until(() -> Files.size(folder.resolve("client.out")) > 0);

      new ProcessBuilder("kill", "-INT", String.valueOf(interrupted.pid())).start().waitFor();

      assertThat(interrupted.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(interrupted.exitValue()).isEqualTo(14);
      CommandLineRun whole = other.get(4, TimeUnit.MINUTES);
      assertThat(whole.code()).as(whole.err()).isZero();
      assertThat(whole.out().lines().filter(line -> line.contains("Data generation complete!")))
          .hasSize(1);
      CommandLineRun done = extract.get(4, TimeUnit.MINUTES);
      assertThat(done.code()).as(done.err()).isZero();
      assertThat(done.out()).contains("10 of 10 good");
    }
  }

  @Test
  @Hostile("a run that one client ends for bad samples while another one watches")
  void whoOnlyWatchesIsToldTheSameEnd() throws Exception {
    try (StandInHost host = start(Map.of("EAGLE3_STAND_IN_CUT", "0,1", BATCH_SECONDS, "60"))) {
      CompletableFuture<CommandLineRun> extract = extract(host);
      awaitLog(host, "shards: ");
      CompletableFuture<CommandLineRun> tail = inBackground(host, "tail-log");

      for (CompletableFuture<CommandLineRun> client : List.of(extract, tail)) {
        CommandLineRun run = client.get(4, TimeUnit.MINUTES);
        assertThat(run.code()).as(run.err() + run.out()).isEqualTo(16);
        assertThat(run.err())
            .contains(
                "the run was ended by eagle3, since data_0.pt, of its first batch, is damaged")
            .contains("killed with code 143");
      }
    }
  }

  @Test
  @Hostile("a run that is stopped twice at once while two clients watch it")
  void twoStopsAtOnceEndARunOnce() throws Exception {
    try (StandInHost host = start(Map.of(BATCH_SECONDS, "600"))) {
      CompletableFuture<CommandLineRun> extract = extract(host);
      awaitLog(host, " 1/5 ");
      CompletableFuture<CommandLineRun> tail = inBackground(host, "tail-log");

      List<CompletableFuture<CommandLineRun>> stops =
          List.of(inBackground(host, "stop", "--yes"), inBackground(host, "stop", "--yes"));

      for (CompletableFuture<CommandLineRun> stop : stops) {
        CommandLineRun run = stop.get(4, TimeUnit.MINUTES);
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out()).contains("killed with code 143");
      }
      for (CompletableFuture<CommandLineRun> client : List.of(extract, tail)) {
        CommandLineRun run = client.get(4, TimeUnit.MINUTES);
        assertThat(run.code()).as(run.err() + run.out()).isEqualTo(13);
        assertThat(run.out()).contains("[run.stopped]");
      }
      assertThat(names(host.files().output().resolveSibling(".")))
          .doesNotContain("hidden_states.eagle3-lock");
    }
  }

  @Test
  @Hostile("two runs that are launched into one folder at the same moment")
  void ofTwoLaunchesIntoOneFolderOneIsRefused() throws Exception {
    try (StandInHost host = start(Map.of(BATCH_SECONDS, "600"))) {
      withPreviousOutput(host);

      assertOneIsRefused(host, List.of(), List.of());

      assertThat(names(host.state().resolve("runs")).stream().filter(name -> !name.contains(".")))
          .hasSize(1);
    }
  }

  @Test
  @Hostile("two runs into one folder, by other paths and from other state folders")
  void otherPathsAndStateFoldersAreNoWayAroundTheLock() throws Exception {
    try (StandInHost host = start(Map.of(BATCH_SECONDS, "600"))) {
      withPreviousOutput(host);
      Path link = Files.createSymbolicLink(folder.resolve("link"), host.files().output());

      assertOneIsRefused(
          host,
          List.of("--output-dir", host.files().output() + "/"),
          List.of(
              "--output-dir", link.toString(), "--state-dir", folder.resolve("other").toString()));
    }
  }

  @Test
  @Hostile("a lock whose client died before it launched anything")
  void aLockThatWasLeftIsTakenOver() throws Exception {
    try (StandInHost host = start(Map.of())) {
      Files.createDirectories(host.files().output());
      String dead = "20260101-000000-0001";
      Path lock =
          Files.createDirectories(Path.of(host.files().output() + ".eagle3-lock")).resolve(dead);
      Files.writeString(lock, host.state() + "/runs/" + dead + "\n");
      CommandLineRun early = extract(host).get(4, TimeUnit.MINUTES);
      assertThat(early.code()).as(early.err()).isEqualTo(11);
      assertThat(early.err()).contains("is being prepared for run " + dead);

      new ProcessBuilder("touch", "-d", "20 minutes ago", lock.toString()).start().waitFor();

      CommandLineRun late = extract(host).get(4, TimeUnit.MINUTES);
      assertThat(late.code()).as(late.err()).isZero();
    }
  }

  private static void withPreviousOutput(StandInHost host) throws IOException {
    Files.createDirectories(host.files().output());
    Files.writeString(host.files().output().resolve("data_0.pt"), "of an earlier run");
  }

  /** Which of them is refused is a matter of chance; the other one runs until it is stopped. */
  private static void assertOneIsRefused(StandInHost host, List<String> first, List<String> second)
      throws Exception {
    CompletableFuture<CommandLineRun> one = extract(host, first.toArray(String[]::new));
    CompletableFuture<CommandLineRun> two = extract(host, second.toArray(String[]::new));
    CompletableFuture.anyOf(one, two).get(4, TimeUnit.MINUTES);
    boolean secondRuns = one.isDone();
    CommandLineRun refused = secondRuns ? one.get() : two.get();
    assertThat(refused.code()).as(refused.err()).isEqualTo(11);
    awaitLog(host, " 1/5 ");
    List<String> stop = new ArrayList<>(List.of("stop", "--yes"));
    List<String> words = secondRuns ? second : first;
    int state = words.indexOf("--state-dir");
    stop.addAll(state < 0 ? List.of() : words.subList(state, state + 2));
    assertThat(command(host, stop.toArray(String[]::new)).code()).isZero();
    CommandLineRun won = (secondRuns ? two : one).get(4, TimeUnit.MINUTES);
    assertThat(won.code()).as(won.err()).isEqualTo(13);
    assertThat(won.out()).contains("2 of 10 good");
    String run = won.err().replaceFirst("(?s).*?eagle3 tail-log ([0-9a-f-]{20}).*", "$1");
    assertThat(refused.err()).contains("run " + run);
    List<String> kept =
        names(host.files().output().resolveSibling(".")).stream()
            .filter(name -> name.startsWith("hidden_states"))
            .toList();
    assertThat(kept).containsExactlyInAnyOrder("hidden_states", "hidden_states.before-" + run);
    assertThat(host.files().output().resolveSibling("hidden_states.before-" + run + "/data_0.pt"))
        .hasContent("of an earlier run");
  }

  private StandInHost start(Map<String, String> variables) throws Exception {
    return StandInHost.start(folder.toRealPath(), variables);
  }

  private static CompletableFuture<CommandLineRun> extract(StandInHost host, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of("extract", "--profile", host.profile().toString(), "--clear-gpus", "none"));
    words.addAll(List.of(more));
    return inBackground(host, words.toArray(String[]::new));
  }

  private static CompletableFuture<CommandLineRun> inBackground(StandInHost host, String... words) {
    CompletableFuture<CommandLineRun> result = new CompletableFuture<>();
    Thread client =
        new Thread(
            () -> {
              try {
                result.complete(command(host, words));
              } catch (RuntimeException | Error failed) {
                result.completeExceptionally(failed);
              }
            },
            "client");
    client.setDaemon(true);
    client.start();
    return result;
  }

  private static void awaitLog(StandInHost host, String text) {
    Await.until(
        () ->
            Files.exists(host.files().log())
                && Files.readString(host.files().log()).contains(text));
  }

  private Process spawn(StandInHost host, String command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.eagle3.cli.Main",
            command,
            "--host",
            host.server().target());
    builder.environment().put("HOME", host.server().clientHome().toString());
    builder.redirectOutput(folder.resolve("client.out").toFile());
    builder.redirectError(folder.resolve("client.err").toFile());
    return builder.start();
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }
}
