package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.RunBench;
import dev.eagle3.run.RunState;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Relay;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that follow a run over a line to a real OpenSSH server that breaks, from its start. */
@Tag("slow")
class BrokenLineTest {
  private static final Pattern LINE =
      Pattern.compile("\"type\":\"log\",.*\"offset\":(\\d+),\"text\":\"([^\"]*)\"");

  /** What it prints after that has to be asked for. */
  private static final String TWO_PARTS =
      "seq 1 1000\nuntil [ -e \"$1\" ]; do sleep 0.05; done\nseq 1001 2000\n";

  private static final int FIRST_PART_BYTES = 3893;

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
  void launchOnTheHostItself() throws IOException {
    relay = Relay.to(server);
    bench = new RunBench(server.home(), RunBench.localHost(server.home(), Map.of()));
  }

  @AfterEach
  void close() throws IOException {
    relay.close();
    bench.close();
  }

  @Test
  @Hostile("a connection that is cut in the middle of a line, again and again")
  void everyByteOfALogArrivesOnceOverALineThatIsCutAgainAndAgain() throws Exception {
    ExtractionPlan plan =
        bench.plan(
            "for part in 1 2 3; do seq -f 'line %08.0f of a log' $((part * 2000)) $((part * 2000"
                + " + 1499)); sleep 0.3; done\necho over\n");
    bench.launch(plan);
    relay.cutEvery(48 << 10);

    CommandLineRun tail = client("tail-log", plan.run().text());

    String log = Files.readString(bench.folder(plan).resolve("log"));
    assertThat(tail.code()).as(tail.err()).isZero();
    assertThat(tail.out()).isEqualTo(log);
    assertThat(relay.connections()).isGreaterThan(2);
    CommandLineRun json = client("tail-log", plan.run().text(), "--json");
    assertThat(json.code()).as(json.out()).isZero();
    assertThat(String.join("\n", texts(json)) + "\n").isEqualTo(log);
    CommandLineRun last = client("tail-log", plan.run().text(), "-n", "500");
    assertThat(last.code()).as(last.err()).isZero();
    assertThat(last.out().lines().toList())
        .isEqualTo(log.lines().skip(log.lines().count() - 500).toList());
  }

  @Test
  @Hostile("a server that freezes under a connection")
  void aFrozenServerIsLeftForANewConnectionAndNothingOfItStays() throws Exception {
    ExtractionPlan plan = bench.plan(TWO_PARTS, go().toString());
    bench.launch(plan);
    Path config = relay.configuration("ServerAliveInterval 1", "ServerAliveCountMax 3");
    CompletableFuture<CommandLineRun> tail =
        CompletableFuture.supplyAsync(() -> at("box", config, "tail-log", plan.run().text()));
    Await.until(() -> relay.delivered() > log(plan).length() + 10_000 && hasFollower(plan));

    int before = relay.connections();
    server.freeze();
    Await.until(() -> relay.connections() > before);
    Files.createFile(go());

    CommandLineRun run = tail.get(2, TimeUnit.MINUTES);
    server.thaw();
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(Files.readString(log(plan).toPath()));
    assertThat(run.err()).contains("the connection to box was lost", "connected to box again");
    Await.until(() -> !hasFollower(plan));
  }

  @Test
  @Hostile("a line that is slower than the log, and late")
  void aSlowLineIsNotTakenForAFrozenOne() throws Exception {
    ExtractionPlan plan = bench.plan("seq 1 5000\n");
    bench.launch(plan);
    bench.ended(plan);
    Path config = relay.configuration("ServerAliveInterval 1", "ServerAliveCountMax 3");
    relay.slow(8 << 10, Duration.ofMillis(100));

    CommandLineRun run = at("box", config, "tail-log", plan.run().text());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(Files.readString(log(plan).toPath()));
    assertThat(relay.connections()).isEqualTo(1);
  }

  @Test
  @Hostile("Ctrl-C over a slow line that has much to say")
  void ctrlCDoesNotWaitForASlowLine() throws Exception {
    ExtractionPlan plan = bench.plan("seq 1 1000000\nexec sleep 600\n");
    bench.launch(plan);
    Path config = relay.configuration("ServerAliveInterval 1");
    try (SpawnedClient client = spawn("box", config, "tail-log", plan.run().text())) {
      Await.until(() -> client.outFile().toFile().length() > 0);
      relay.slow(8 << 10, Duration.ofMillis(100));

      client.signal("INT");

      assertThat(client.code()).as(client.err()).isEqualTo(14);
      assertThat(client.err()).contains("the run goes on", "eagle3 tail-log " + plan.run());
    }
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  @Hostile("Ctrl-C while a line swallows everything")
  void ctrlCDoesNotWaitForALineThatSwallowsEverything() throws Exception {
    ExtractionPlan plan = bench.plan("seq 1 1000\nexec sleep 600\n");
    bench.launch(plan);
    Path config = relay.configuration("ServerAliveInterval 600");
    try (SpawnedClient client = spawn("box", config, "tail-log", plan.run().text())) {
      Await.until(() -> client.outFile().toFile().length() > 0);
      relay.swallow(true);
      Files.writeString(log(plan).toPath(), "more\n", StandardOpenOption.APPEND);

      client.signal("INT");

      assertThat(client.code()).as(client.err()).isEqualTo(14);
    }
  }

  @Test
  @Hostile("a laptop that sleeps while it connects again")
  void sleepDoesNotCountForGivingUp() throws Exception {
    ExtractionPlan plan = bench.plan(TWO_PARTS, go().toString());
    bench.launch(plan);
    Path config = relay.configuration("ServerAliveInterval 1");
    try (SpawnedClient client =
        spawn("box", config, "tail-log", plan.run().text(), "--give-up-after", "8s")) {
      Await.until(() -> client.outFile().toFile().length() == FIRST_PART_BYTES);
      relay.refuse(true);
      Await.until(() -> client.err().contains("was lost; connecting again"));
      client.signal("STOP");
      long asleep = System.nanoTime();
      Await.until(() -> System.nanoTime() - asleep > 9e9);
      relay.refuse(false);
      Files.createFile(go());

      client.signal("CONT");

      assertThat(client.code()).as(client.err()).isZero();
      assertThat(client.out()).isEqualTo(Files.readString(log(plan).toPath()));
    }
  }

  @Test
  @Hostile("a client that is killed, and the log is silent")
  void nothingStaysBehindOfAClientThatIsKilled() throws Exception {
    ExtractionPlan plan = bench.plan(TWO_PARTS, go().toString());
    bench.launch(plan);
    try (SpawnedClient client =
        spawn(relay.target(), relay.configuration(), "tail-log", plan.run().text())) {
      Await.until(() -> client.outFile().toFile().length() == FIRST_PART_BYTES);
      assertThat(hasFollower(plan)).isTrue();

      client.signal("KILL");

      Await.until(() -> !hasFollower(plan));
    }
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
    Files.createFile(go());
    CommandLineRun again = client("tail-log", plan.run().text());
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out()).isEqualTo(Files.readString(log(plan).toPath()));
  }

  @Test
  @Hostile("a server that hangs up on everybody from now on")
  void givingUpSaysHowToComeBackAndTheServerIsNotHammered() throws Exception {
    ExtractionPlan plan = bench.plan(TWO_PARTS, go().toString());
    bench.launch(plan);
    CompletableFuture<CommandLineRun> tail =
        CompletableFuture.supplyAsync(
            () -> client("tail-log", plan.run().text(), "--give-up-after", "3s"));
    Await.until(() -> hasFollower(plan) && relay.delivered() > log(plan).length());

    relay.refuse(true);

    CommandLineRun run = tail.get(2, TimeUnit.MINUTES);
    assertThat(run.code()).as(run.err()).isEqualTo(17);
    assertThat(run.err())
        .contains("the connection was lost; run " + plan.run() + " goes on there")
        .contains("try: eagle3 tail-log " + plan.run() + " --host " + relay.target())
        .doesNotContain("log.unreadable");
    assertThat(relay.connections()).isBetween(2, 8);
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  private static List<String> texts(CommandLineRun json) {
    return json.out()
        .lines()
        .map(LINE::matcher)
        .filter(Matcher::find)
        .map(line -> line.group(2))
        .toList();
  }

  private Path go() {
    return bench.home().resolve("go-" + relay.port());
  }

  private File log(ExtractionPlan plan) {
    return bench.folder(plan).resolve("log").toFile();
  }

  private boolean hasFollower(ExtractionPlan plan) {
    String log = log(plan).toString();
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .anyMatch(line -> line.contains("tail") && line.contains(log));
  }

  private static CommandLineRun at(String host, Path config, String... words) {
    return CommandLineRun.at(server.clientHome(), Map.of(), withHost(host, config, words));
  }

  private static SpawnedClient spawn(String host, Path config, String... words) throws IOException {
    return SpawnedClient.start(server.clientHome(), withHost(host, config, words));
  }

  private static String[] withHost(String host, Path config, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--host", host, "-F", config.toString()));
    return all.toArray(String[]::new);
  }

  private CommandLineRun client(String... words) {
    return CommandLineRun.at(server.clientHome(), Map.of("EAGLE3_HOST", relay.target()), words);
  }
}
