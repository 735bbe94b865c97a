package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.host.ssh.SshConnector;
import dev.eagle3.host.ssh.SshSettings;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.Launched;
import dev.eagle3.run.RunBench;
import dev.eagle3.run.RunState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches on a real OpenSSH server, whose connections are cut. */
@Tag("slow")
class OpenSshWatchTest {
  @TempDir static Path folder;
  private static OpenSshServer server;
  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
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
  void connect() {
    bench = connected();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void everyByteOfALongLogArrivesOnce() throws Exception {
    ExtractionPlan plan = bench.plan("seq 1 300000\nsleep 0.3\nprintf 'the very last'\nexit 3\n");
    Launched launched = bench.launch(plan);

    Watched watched = watcher(launched).watch(0);

    Path log = bench.folder(plan).resolve("log");
    assertThat(lines()).isEqualTo(Files.readString(log));
    assertThat(watched.log().offset()).isEqualTo(Files.size(log));
    assertThat(watched.last().state()).isEqualTo(new RunState.Finished(3, List.of()));
  }

  @Test
  void aWatchThatIsCutOffIsTakenUpAtItsOffsetByAnotherConnection() throws Exception {
    Path go = bench.home().resolve("go");
    ExtractionPlan plan =
        bench.plan(
            "seq 1 2000\nuntil [ -e \"$1\" ]; do sleep 0.05; done\nseq 2001 4000\n", go.toString());
    Launched launched = bench.launch(plan);
    Path log = bench.folder(plan).resolve("log");
    RunWatcher first = watcher(launched);
    CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> first.watch(0));
    Await.until(() -> first.offset() > 0 && first.offset() == log.toFile().length());
    assertThat(followers(log)).isNotEmpty();

    server.cutConnections();

    assertThatThrownBy(() -> watching.get(1, TimeUnit.MINUTES))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.LOST);
              assertThat(failure.problem()).contains("run " + plan.run() + " goes on there");
            });
    Await.until(() -> followers(log).isEmpty());

    Files.createFile(go);
    bench.host().close();
    bench = connected();
    watcher(launched).watch(first.offset());
    assertThat(lines()).isEqualTo(Files.readString(log).strip());
  }

  @Test
  void nothingStaysBehindOnTheHostWhenAWatchIsStopped() throws Exception {
    ExtractionPlan plan = bench.plan("echo up\nexec sleep 60\n");
    Launched launched = bench.launch(plan);
    RunWatcher watcher = watcher(launched);
    CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> watcher.watch(0));
    Await.until(() -> watcher.offset() > 0);
    Path log = bench.folder(plan).resolve("log");
    assertThat(followers(log)).isNotEmpty();

    watcher.stop();

    assertThat(watching.get(1, TimeUnit.MINUTES).stopped()).isTrue();
    Await.until(() -> followers(log).isEmpty());
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  private RunWatcher watcher(Launched launched) {
    return new RunWatcher(bench.scripts(), launched.folder(), LogRules.NONE, events::add);
  }

  private String lines() {
    return events.stream()
        .filter(Event.LogLine.class::isInstance)
        .map(event -> ((Event.LogLine) event).text())
        .collect(Collectors.joining("\n"));
  }

  private static List<ProcessHandle> followers(Path log) {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().commandLine().orElse("").contains("tail")
                    && process.info().commandLine().orElse("").contains(log.toString()))
        .toList();
  }

  private static RunBench connected() {
    Host host =
        new SshConnector(SshSettings.of(server.clientHome()), note -> {}).connect(server.target());
    return new RunBench(server.home(), host);
  }
}
