package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ReconnectingHost;
import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.host.ssh.SshConnector;
import dev.eagle3.host.ssh.SshSettings;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Launches on a real OpenSSH server, whose connections are cut. */
@Tag("slow")
class OpenSshRunTest {
  @TempDir static Path folder;
  private static OpenSshServer server;
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
  void aLaunchDoesNotHoldItsChannelWhileTheJobRuns() throws Exception {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 60\n");

    Launched launched = bench.launch(plan);

    assertThat(bench.state(plan)).isEqualTo(new RunState.Running(launched.pid()));
  }

  @Test
  void aJobSurvivesTheEndOfItsConnectionAndItsExitCodeIsReadByAnother() throws Exception {
    Path go = bench.home().resolve("go");
    ExtractionPlan plan =
        bench.plan(
            "echo up\nuntil [ -e \"$1\" ]; do sleep 0.05; done\necho down\nexit 42\n",
            go.toString());
    bench.launch(plan);

    server.cutConnections();

    assertThatThrownBy(() -> bench.state(plan))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.LOST));
    bench.host().close();
    bench = connected();
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
    Files.createFile(go);
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(42, List.of()));
    assertThat(bench.folder(plan).resolve("log")).hasContent("up\ndown\n");
  }

  @Test
  void aWorkerThatOutlivesItsKilledWrapperIsSeenFromAnotherConnection() throws Exception {
    ExtractionPlan plan = bench.plan("setsid env -i sleep 60 &\necho $!\nwait\n");
    Launched launched = bench.launch(plan);
    long worker = Long.parseLong(RunBench.awaitText(bench.folder(plan).resolve("log")).strip());

    RunBench.signal("KILL", launched.pid());
    server.cutConnections();

    bench.host().close();
    bench = connected();
    assertThat(bench.ended(plan)).isInstanceOf(RunState.Orphaned.class);
    assertThat(bench.state(plan).pids()).contains(worker);
    bench.state(plan).pids().forEach(pid -> RunBench.signal("KILL", pid));
    Await.until(() -> bench.state(plan) instanceof RunState.Lost);
  }

  @Test
  @Hostile("the connection is cut while a run is being stopped")
  void aStopWhoseConnectionIsCutIsAskedAgainOnANewOne() throws Exception {
    Path go = bench.home().resolve("go on");
    ExtractionPlan plan =
        bench.plan(
            "trap 'echo closing' TERM\necho up\n"
                + "until [ -e \"$1\" ]; do sleep 0.05; done\nexit 5\n",
            go.toString());
    bench.launch(plan);
    RunBench.awaitText(bench.folder(plan).resolve("log"));
    AtomicReference<Stopped> stopped = new AtomicReference<>();
    try (Host host =
        ReconnectingHost.connect(OpenSshRunTest::host, Duration.ofMinutes(1), note -> {})) {
      Thread stopping =
          new Thread(
              () ->
                  stopped.set(
                      RunStopper.stop(
                          new HostScripts(host),
                          new RunFolder(bench.folder(plan).toString()),
                          Duration.ofMinutes(5))));
      stopping.start();
      Await.until(() -> Files.readString(bench.folder(plan).resolve("log")).contains("closing"));

      server.goAway();
      server.comeBack();
      Files.createFile(go);
      stopping.join();
    }

    bench.host().close();
    bench = connected();
    assertThat(stopped.get()).isNotNull();
    assertThat(stopped.get().isOver()).isTrue();
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(5, List.of()));
  }

  @Test
  @Hostile("the connection is cut right after a launch was asked for")
  void aLaunchWhoseConnectionIsCutIsAskedAgainAndLaunchesOnce() throws Exception {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    try (Host host =
        ReconnectingHost.connect(OpenSshRunTest::host, Duration.ofMinutes(1), note -> {})) {
      HostScripts scripts = new HostScripts(host);
      OutputLocker.lock(scripts, plan);
      AtomicReference<Launched> launched = new AtomicReference<>();
      Thread launching = new Thread(() -> launched.set(Launcher.launch(scripts, plan)));
      launching.start();
      Await.until(() -> Files.exists(bench.folder(plan)));

      server.goAway();
      server.comeBack();

      launching.join();
      assertThat(launched.get()).isNotNull();
      bench.host().close();
      bench = connected();
      assertThat(bench.state(plan))
          .isEqualTo(new RunState.Running(Objects.requireNonNull(launched.get()).pid()));
      assertThat(bench.folder(plan).resolve("log")).content().hasLineCount(1);
      RunStopper.stop(bench.scripts(), launched.get().folder(), Duration.ofMinutes(5));
    }
  }

  private static Host host() {
    return new SshConnector(SshSettings.of(server.clientHome()), note -> {})
        .connect(server.target());
  }

  private static RunBench connected() {
    return new RunBench(server.home(), host());
  }
}
