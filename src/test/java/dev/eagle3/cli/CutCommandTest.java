package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Relay;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose connection is cut in their middle, and hosts that go away and come back. */
@Tag("slow")
class CutCommandTest {
  private static final Path SAMPLE =
      Path.of("src/test/resources/fixtures/tensors/real/kimi-shape-t17.pt");

  private static final int UNREACHABLE = 12;
  private static final int LOST = 17;
  private static final List<Double> CUTS = List.of(0.6, 0.8, 0.95);

  @TempDir static Path folder;
  private static OpenSshServer server;
  private Relay relay;
  private RunBench bench;

  @BeforeAll
  static void start() throws Exception {
    server = OpenSshServer.in(folder.toRealPath().resolve("server")).start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() throws IOException {
    relay = Relay.to(server);
    bench = new RunBench(server.home(), RunBench.localHost(server.home(), Map.of()));
  }

  @AfterEach
  void close() throws IOException {
    relay.close();
    bench.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "wait", "verify-shapes", "verify-shapes --deep", "pull --to"})
  @Hostile("a connection that is cut in the middle of a command that only looks")
  void aCommandThatIsCutInItsMiddleGoesOnAndSaysTheSame(String command) throws Exception {
    ExtractionPlan plan = finished();
    CommandLineRun whole = run(command, plan, 0);
    long bytes = relay.delivered();

    for (double cut : CUTS) {
      relay.cutOnce((long) (bytes * cut));
      CommandLineRun run = run(command, plan, cut);

      // Nobody is connected to again before the first login.
      if (run.code() != UNREACHABLE) {
        assertThat(run.code()).as(run.err()).isEqualTo(whole.code());
        assertThat(timeless(run.out())).isEqualTo(timeless(whole.out()));
        if (command.startsWith("pull")) {
          assertThat(home(cut).resolve("data_0.pt")).hasSameBinaryContentAs(SAMPLE);
        }
      }
    }
    assertThat(relay.connections()).as("it connected again").isGreaterThan(1 + CUTS.size());
  }

  @Test
  @Hostile("a connection that is cut while bad files are moved aside")
  void aBadFileIsInOnePlaceWhereverQuarantineIsCut() throws Exception {
    ExtractionPlan plan = finished();
    Path output = Path.of(plan.outputDir());
    String[] words = {"verify-shapes", plan.run().text(), "--layers", "2", "--yes", "--quarantine"};
    long before = relay.delivered();
    CommandLineRun whole = client(words, server.home() + "/bad");
    long bytes = relay.delivered() - before;
    assertThat(server.home().resolve("bad/data_0.pt")).as(whole.err() + whole.out()).exists();

    for (double cut : CUTS) {
      Files.copy(SAMPLE, output.resolve("data_0.pt"));
      Path aside = server.home().resolve("bad-" + cut);
      relay.cutOnce((long) (bytes * cut));
      CommandLineRun run = client(words, aside.toString());

      assertThat(run.code()).as(run.err()).isIn(whole.code(), UNREACHABLE, LOST);
      Path there = aside.resolve("data_0.pt");
      Path only = Files.exists(there) ? there : output.resolve("data_0.pt");
      assertThat(only).hasSameBinaryContentAs(SAMPLE);
      assertThat(Files.exists(there) && Files.exists(output.resolve("data_0.pt"))).isFalse();
      Files.delete(only);
    }
  }

  @Test
  @Hostile("a host that is started anew while its run is followed, and its process ids are others'")
  void aHostThatWasStartedAnewIsToldAndNoStrangerIsTouched() throws Exception {
    ExtractionPlan plan = bench.plan("seq 1 1000\nexec sleep 600\n");
    bench.launch(plan);
    Path run = bench.folder(plan);
    CompletableFuture<CommandLineRun> tail =
        CompletableFuture.supplyAsync(
            () -> client(new String[] {"tail-log"}, plan.run().text(), "--give-up-after", "5m"));
    Await.until(() -> relay.delivered() > 10_000 + run.resolve("log").toFile().length());
    Process stranger = new ProcessBuilder("sleep", "600").start();
    try {
      relay.refuse(true);
      bench.status(plan).state().pids().forEach(pid -> RunBench.signal("KILL", pid));
      Await.until(() -> bench.state(plan).hasEnded());
      bench.status(plan).state().pids().forEach(pid -> RunBench.signal("KILL", pid));
      Files.writeString(run.resolve("log"), Files.readString(run.resolve("log")) + "the rest\n");
      String[] record = Files.readString(run.resolve("pid")).strip().split("\t", -1);
      Files.writeString(
          run.resolve("pid"),
          String.join(
              "\t",
              String.valueOf(stranger.pid()),
              started(stranger.pid()),
              "0-other-boot",
              record[3],
              record[4]));
      Files.setLastModifiedTime(
          run.resolve("alive"), FileTime.from(Instant.parse("2001-01-01T00:00:00Z")));
      relay.refuse(false);

      CommandLineRun told = tail.get(2, TimeUnit.MINUTES);

      assertThat(told.code()).as(told.err()).isEqualTo(13);
      assertThat(told.out()).startsWith("1\n2\n").contains("1000\nthe rest\n");
      assertThat(told.out() + told.err()).contains("the host was started anew since");
      CommandLineRun stop = client(new String[] {"stop"}, plan.run().text(), "--yes");
      assertThat(stop.out() + stop.err()).doesNotContain("running");
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  @Hostile("connections that are cut and frozen one after the other under extract")
  void extractGoesThroughOverConnectionsThatAreCutAndFrozen() throws Exception {
    try (StandInHost host =
            StandInHost.start(folder.resolve("gpu"), Map.of("EAGLE3_STAND_IN_PACE", "0.04"));
        Relay line = Relay.to(host.server())) {
      String config =
          line.configuration("ServerAliveInterval 1", "ServerAliveCountMax 3").toString();
      String profile = host.profile().toString();
      CompletableFuture<CommandLineRun> extract =
          CompletableFuture.supplyAsync(
              () ->
                  CommandLineRun.at(
                      host.server().clientHome(),
                      Map.of(),
                      "extract",
                      "--profile",
                      profile,
                      "--host",
                      "box",
                      "-F",
                      config));
      Await.until(
          () ->
              Files.exists(host.files().log())
                  && Files.readString(host.files().log()).contains("shards:  1"));

      for (int cut = 0; cut < 3; cut++) {
        int before = line.connections();
        line.cut();
        Await.until(() -> line.connections() > before || extract.isDone());
      }
      host.server().freeze();

      CommandLineRun run = extract.get(2, TimeUnit.MINUTES);
      host.server().thaw();
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains("10 of 10 good").doesNotContain("run.stalled");
      assertThat(run.err()).contains("connected to box again");
    }
  }

  /** A run that is over and has saved one file. */
  private ExtractionPlan finished() throws IOException {
    ExtractionPlan plan = bench.plan("echo done\n");
    Path output = Files.createDirectories(Path.of(plan.outputDir()));
    Files.copy(SAMPLE, output.resolve("data_0.pt"), StandardCopyOption.REPLACE_EXISTING);
    bench.launch(plan);
    bench.ended(plan);
    return plan;
  }

  private CommandLineRun run(String command, ExtractionPlan plan, double cut) {
    String[] words = command.split(" ");
    List<String> more = new ArrayList<>(List.of(plan.run().text()));
    if (words[0].equals("pull")) {
      more.add(0, home(cut).toString());
    }
    return client(words, more.toArray(String[]::new));
  }

  private Path home(double cut) {
    return folder.resolve("home-" + relay.port() + "-" + cut);
  }

  private static String timeless(String text) {
    return text.replaceAll("home-[0-9.-]+", "home")
        .replaceAll("\\d+(\\.\\d+)? ?(ms|s|min)\\b", "T");
  }

  private static String started(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
  }

  private CommandLineRun client(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return CommandLineRun.at(
        server.clientHome(), Map.of("EAGLE3_HOST", relay.target()), all.toArray(String[]::new));
  }
}
