package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.files.FileTree;
import dev.eagle3.host.Await;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.NeverStarted;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.Launched;
import dev.eagle3.run.RunBench;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunWatcherTest {
  /** Bursts of lines, with pauses, and a last line without an end right before the exit. */
  private static final String CHATTY =
      "seq 1 3000\nsleep 0.3\nseq 3001 6000; printf half; sleep 0.2; echo ' a line'\n"
          + "seq 6001 20000\nprintf 'the very last'\nexit 3\n";

  @TempDir Path folder;
  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
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
  void everyByteOfTheLogArrivesOnceUpToTheVeryLast() throws IOException {
    ExtractionPlan plan = bench.plan(CHATTY);
    Launched launched = bench.launch(plan);

    Watched watched = watcher(launched.folder()).watch(0);

    assertThat(lines()).isEqualTo(Files.readString(log(plan)));
    assertThat(watched.log().offset()).isEqualTo(Files.size(log(plan)));
    assertThat(watched.stopped()).isFalse();
    assertThat(watched.last().state()).isEqualTo(new RunState.Finished(3, List.of()));
    assertThat(events.get(events.size() - 1))
        .isEqualTo(
            new Event.State(plan.run().text(), "finished", 3, "the job exited with 3", List.of()));
  }

  @Test
  void aRunThatIsOverIsReadToItsEnd() throws IOException {
    ExtractionPlan plan = bench.plan(CHATTY);
    Launched launched = bench.launch(plan);
    bench.ended(plan);

    watcher(launched.folder()).watch(0);

    assertThat(lines()).isEqualTo(Files.readString(log(plan)));
  }

  @Test
  void aSecondWatchGoesOnWhereTheFirstWasStopped() throws Exception {
    ExtractionPlan plan =
        bench.plan("seq 1 100\nuntil [ -e \"$1\" ]; do sleep 0.05; done\nseq 101 200\n", go());
    Launched launched = bench.launch(plan);
    RunWatcher first = watcher(launched.folder());
    CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> first.watch(0));
    Await.until(() -> first.offset() == log(plan).toFile().length() && first.offset() > 0);

    first.stop();

    Watched stopped = watching.get(1, TimeUnit.MINUTES);
    assertThat(stopped.stopped()).isTrue();
    assertThat(stopped.last().state()).isInstanceOf(RunState.Running.class);
    assertThat(events).noneMatch(Event.State.class::isInstance);
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
    Files.createFile(Path.of(go()));
    watcher(launched.folder()).watch(first.offset());
    assertThat(lines()).isEqualTo(Files.readString(log(plan)));
  }

  @Test
  void anInterruptStopsTheWatchAndNotTheRun() throws Exception {
    ExtractionPlan plan = bench.plan("echo up\nexec sleep 60\n");
    Launched launched = bench.launch(plan);
    RunWatcher watcher = watcher(launched.folder());
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              assertThat(watcher.watch(0).stopped()).isTrue();
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    thread.start();
    Await.until(() -> watcher.offset() > 0);

    thread.interrupt();
    thread.join(60_000);

    assertThat(interrupted).isTrue();
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  void nothingStaysBehindOnTheHostWhenAWatchEnds() throws Exception {
    ExtractionPlan plan = bench.plan("echo up\nexec sleep 60\n");
    Launched launched = bench.launch(plan);
    RunWatcher watcher = watcher(launched.folder());
    CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> watcher.watch(0));
    Await.until(() -> watcher.offset() > 0);
    assertThat(followers(plan)).isNotEmpty();

    watcher.stop();

    watching.get(1, TimeUnit.MINUTES);
    Await.until(() -> followers(plan).isEmpty());
  }

  @Test
  void aWrapperThatIsKilledEndsTheWatchAndItsWorkersAreNamed() throws Exception {
    ExtractionPlan plan = bench.plan("echo $$\nexec sleep 60\n");
    Launched launched = bench.launch(plan);
    RunWatcher watcher = watcher(launched.folder());
    CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> watcher.watch(0));
    Await.until(() -> watcher.offset() > 0);

    RunBench.signal("KILL", launched.pid());

    long job = Long.parseLong(Files.readString(log(plan)).strip());
    assertThat(watching.get(1, TimeUnit.MINUTES).last().state())
        .isEqualTo(new RunState.Orphaned(List.of(job)));
  }

  @Test
  void aLogThatWasCutIsSaidAndReadOnFromItsStart() throws Exception {
    ExtractionPlan plan =
        bench.plan("seq 1 1000\nuntil [ -e \"$1\" ]; do sleep 0.05; done\necho after\n", go());
    Launched launched = bench.launch(plan);
    RunWatcher watcher = watcher(launched.folder());
    CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> watcher.watch(0));
    Await.until(() -> watcher.offset() == 3893);

    Files.write(log(plan), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
    Await.until(() -> events.stream().anyMatch(Event.Found.class::isInstance));
    Files.createFile(Path.of(go()));

    assertThat(watching.get(1, TimeUnit.MINUTES).last().state().code()).isZero();
    assertThat(found())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.finding().code()).isEqualTo("log.replaced");
              assertThat(found.finding().actual()).isEqualTo("0 bytes where 3893 had been read");
            });
    assertThat(lines()).endsWith("1000\nafter\n");
  }

  @Test
  void aHostThatStreamsNothingIsReadPieceByPiece() throws IOException {
    ExtractionPlan plan = bench.plan(CHATTY);
    Launched launched = bench.launch(plan);
    HostScripts scripts = new HostScripts(new Streamless(bench.host()));

    Watched watched =
        new RunWatcher(scripts, launched.folder(), LogRules.NONE, events::add).watch(0);

    assertThat(lines()).isEqualTo(Files.readString(log(plan)));
    assertThat(watched.log().offset()).isEqualTo(Files.size(log(plan)));
  }

  @Test
  void aStreamThatIsKilledOnTheHostIsReplacedByReading() throws Exception {
    ExtractionPlan plan =
        bench.plan("seq 1 100\nuntil [ -e \"$1\" ]; do sleep 0.05; done\nseq 101 20000\n", go());
    Launched launched = bench.launch(plan);
    RunWatcher watcher = watcher(launched.folder());
    CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> watcher.watch(0));
    Await.until(() -> watcher.offset() > 0);

    followers(plan).forEach(ProcessHandle::destroyForcibly);
    Files.createFile(Path.of(go()));

    watching.get(1, TimeUnit.MINUTES);
    assertThat(lines()).isEqualTo(Files.readString(log(plan)));
  }

  @Test
  void aTailThatCannotFollowIsAskedAgainAndAgain() throws IOException {
    Path tools = Files.createDirectories(bench.home().resolve("tools"));
    Files.writeString(
        tools.resolve("tail"),
        "#!/bin/sh\nfor word; do [ \"$word\" != -f ] || exit 1; done\nexec /usr/bin/tail \"$@\"\n");
    Files.setPosixFilePermissions(
        tools.resolve("tail"), PosixFilePermissions.fromString("rwxr-xr-x"));
    bench.close();
    bench = new RunBench(folder, Map.of("PATH", tools + ":" + System.getenv("PATH")));
    ExtractionPlan plan = bench.plan(CHATTY);
    Launched launched = bench.launch(plan);

    watcher(launched.folder()).watch(0);

    assertThat(lines()).isEqualTo(Files.readString(log(plan)));
  }

  @Test
  void aConnectionThatIsLostSaysThatTheRunGoesOnAndHowToComeBack() throws IOException {
    ExtractionPlan plan = bench.plan("echo up\nexec sleep 60\n");
    Launched launched = bench.launch(plan);
    Losing losing = new Losing(bench.host());
    RunWatcher watcher =
        new RunWatcher(
            new HostScripts(losing), launched.folder(), LogRules.NONE, event -> losing.lost = true);

    assertThatThrownBy(() -> watcher.watch(0))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.LOST);
              assertThat(failure.problem())
                  .isEqualTo("the connection was lost; run " + plan.run() + " goes on there");
              assertThat(failure.tryNext())
                  .hasValue("eagle3 tail-log " + plan.run() + " --host local");
            });
    assertThat(watcher.offset()).isEqualTo(3);
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  private RunWatcher watcher(RunFolder run) {
    return new RunWatcher(bench.scripts(), run, LogRules.NONE, events::add);
  }

  private String go() {
    return bench.home() + "/go";
  }

  private Path log(ExtractionPlan plan) {
    return bench.folder(plan).resolve("log");
  }

  /** The lines of the log as they came, and what they were made of. */
  private String lines() {
    String lines =
        events.stream()
            .filter(Event.LogLine.class::isInstance)
            .map(event -> ((Event.LogLine) event).text())
            .collect(Collectors.joining("\n"));
    return lines.endsWith("the very last") ? lines : lines + "\n";
  }

  private List<Event.Found> found() {
    return events.stream()
        .filter(Event.Found.class::isInstance)
        .map(Event.Found.class::cast)
        .toList();
  }

  private List<ProcessHandle> followers(ExtractionPlan plan) {
    String log = log(plan).toString();
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().commandLine().orElse("").contains("tail")
                    && process.info().commandLine().orElse("").contains(log))
        .toList();
  }

  /** A host without a channel to spare. */
  private record Streamless(Host host) implements Host {
    @Override
    public String name() {
      return host.name();
    }

    @Override
    public CommandResult run(Command command) {
      return host.run(command);
    }

    @Override
    public RunningCommand start(Command command) {
      return new NeverStarted(new Ending.Lost("the server opens no further channel"));
    }

    @Override
    public FileTree files() {
      return host.files();
    }

    @Override
    public void close() {
      host.close();
    }
  }

  /** A host whose commands are lost from a moment on. */
  private static final class Losing implements Host {
    private final Host host;
    private volatile boolean lost;

    Losing(Host host) {
      this.host = host;
    }

    @Override
    public String name() {
      return host.name();
    }

    @Override
    public CommandResult run(Command command) {
      return lost ? new CommandResult(new Ending.Lost("cut"), "", "", false) : host.run(command);
    }

    @Override
    public RunningCommand start(Command command) {
      return host.start(command);
    }

    @Override
    public FileTree files() {
      return host.files();
    }

    @Override
    public void close() {
      host.close();
    }
  }
}
