package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ends real processes. */
@Tag("slow")
class RunStopperTest {
  /** Longer than any test waits: what ends here ended by TERM. */
  private static final Duration PATIENT = Duration.ofMinutes(5);

  private static final Duration AT_ONCE = Duration.ZERO;

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
  void aJobThatEndsByTermIsGivenTheTime() throws IOException {
    ExtractionPlan plan =
        bench.plan("trap 'echo closing; exit 5' TERM\necho up\nwhile :; do sleep 0.05; done\n");
    bench.launch(plan);
    RunBench.awaitText(log(plan));

    Stopped stopped = stop(plan, PATIENT);

    assertThat(stopped.isOver()).isTrue();
    assertThat(stopped.byKill()).isEmpty();
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(5, List.of()));
    assertThat(log(plan)).content().startsWith("up\n").endsWith("closing\n");
    assertThat(bench.home().resolve("hidden states.eagle3-lock")).doesNotExist();
  }

  @Test
  void aJobThatTermKilledIsToldAsKilled() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    RunBench.awaitText(log(plan));

    Stopped stopped = stop(plan, PATIENT);

    assertThat(stopped).isEqualTo(new Stopped(List.of(launched.pid()), List.of(), List.of()));
    assertThat(stopped.says()).isEqualTo("ended after TERM");
    assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("TERM", 143, List.of()));
  }

  @Test
  @Hostile("a job ignores TERM")
  void aJobThatIgnoresTermIsKilledAndItsWrapperSaysSo() throws IOException {
    ExtractionPlan plan =
        bench.plan("trap '' TERM\necho $$\nwhile :; do sleep 0.05 || sleep 1; done\n");
    bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(log(plan)).strip());

    Stopped stopped = stop(plan, AT_ONCE);

    assertThat(stopped.isOver()).isTrue();
    assertThat(stopped.byKill()).contains(job);
    assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("KILL", 137, List.of()));
    assertThat(bench.home().resolve("hidden states.eagle3-lock")).doesNotExist();
  }

  @Test
  @Hostile("a worker in a session of its own ignores TERM")
  void workersInOtherSessionsEndToo() throws IOException {
    // env -i is what setproctitle does: the environment tells nothing any more.
    ExtractionPlan plan =
        bench.plan(
            "setsid env -i sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' &\n"
                + "exec sleep 600\n");
    bench.launch(plan);
    long worker = Long.parseLong(RunBench.awaitText(log(plan)).strip());

    Stopped stopped = stop(plan, Duration.ofSeconds(1));

    assertThat(stopped.isOver()).isTrue();
    assertThat(stopped.byKill()).contains(worker);
    assertThat(isAlive(worker)).isFalse();
    assertThat(bench.state(plan).isOver()).isTrue();
  }

  @Test
  @Hostile("the wrapper of a run was killed")
  void anOrphanIsEndedAndToldAsKilled() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(log(plan)).strip());
    RunBench.signal("KILL", launched.pid());
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Orphaned(List.of(job)));

    Stopped stopped = stop(plan, PATIENT);

    assertThat(stopped).isEqualTo(new Stopped(List.of(job), List.of(), List.of()));
    assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("TERM", 143, List.of()));
    assertThat(bench.home().resolve("hidden states.eagle3-lock")).doesNotExist();
  }

  @Test
  @Hostile("an orphan renamed itself, wiped its environment, left its session and ignores TERM")
  void anOrphanThatHidesIsFoundByTheLogThatItWrites() throws IOException {
    ExtractionPlan plan =
        bench.plan(
            "setsid env -i sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done'"
                + " VLLM::Worker_TP0 &\nwait\n");
    Launched launched = bench.launch(plan);
    long worker = Long.parseLong(RunBench.awaitText(log(plan)).strip());
    RunBench.signal("KILL", launched.pid());
    Await.until(() -> bench.state(plan) instanceof RunState.Orphaned);

    Stopped stopped = stop(plan, AT_ONCE);

    assertThat(stopped.isOver()).isTrue();
    assertThat(isAlive(worker)).isFalse();
    assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("KILL", 137, List.of()));
  }

  @Test
  @Hostile("a finished run left a process behind")
  void whatAFinishedRunLeftBehindEndsAndItsExitCodeStays() throws IOException {
    ExtractionPlan plan =
        bench.plan("setsid sh -c 'echo $$; exec sleep 600' &\nsleep 0.2\nexit 3\n");
    bench.launch(plan);
    long worker = Long.parseLong(RunBench.awaitText(log(plan)).strip());
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(3, List.of(worker)));

    Stopped stopped = stop(plan, PATIENT);

    assertThat(stopped.byTerm()).containsExactly(worker);
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(3, List.of()));
  }

  @Test
  @Hostile("a job was stopped by SIGSTOP")
  void aStoppedJobIsContinuedSoThatItCanEnd() throws IOException {
    ExtractionPlan plan = bench.plan("trap 'exit 5' TERM\necho $$\nwhile :; do sleep 0.05; done\n");
    bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(log(plan)).strip());
    RunBench.signal("STOP", job);
    Await.until(() -> bench.state(plan).says().contains("stopped (SIGSTOP)"));
    assertThat(bench.state(plan).word()).isEqualTo("running");
    assertThat(bench.state(plan).says())
        .isEqualTo("it is running, but stopped (SIGSTOP): process " + job);

    Stopped stopped = stop(plan, PATIENT);

    assertThat(stopped.byKill()).isEmpty();
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(5, List.of()));
  }

  @Test
  @Hostile("a wrapper was stopped by SIGSTOP")
  void aStoppedWrapperIsContinuedSoThatItCanPassTheSignalOn() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    RunBench.awaitText(log(plan));
    RunBench.signal("STOP", launched.pid());
    Await.until(() -> bench.state(plan).says().contains("process " + launched.pid()));

    stop(plan, PATIENT);

    assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("TERM", 143, List.of()));
  }

  @Test
  @Hostile("an orphan was stopped by SIGSTOP")
  void aStoppedOrphanEndsByTerm() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(log(plan)).strip());
    RunBench.signal("STOP", job);
    RunBench.signal("KILL", launched.pid());
    Await.until(() -> bench.state(plan) instanceof RunState.Orphaned);

    Stopped stopped = stop(plan, PATIENT);

    assertThat(stopped).isEqualTo(new Stopped(List.of(job), List.of(), List.of()));
  }

  @Test
  @Hostile("a job forks without end and ignores TERM")
  void aJobThatForksWithoutEndIsSwept() throws IOException {
    ExtractionPlan plan =
        bench.plan("trap '' TERM\necho up\nwhile :; do setsid sleep 30 & sleep 0.02; done\n");
    bench.launch(plan);
    RunBench.awaitText(log(plan));

    Stopped stopped = stop(plan, AT_ONCE);

    assertThat(stopped.isOver()).as(stopped.says()).isTrue();
    assertThat(bench.state(plan).isOver()).isTrue();
  }

  @Test
  @Hostile("the wrapper's process id belongs to another process now")
  void aProcessThatHasTheNumberOfTheWrapperNowIsSpared() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(log(plan)).strip());
    RunBench.signal("KILL", launched.pid());
    Process stranger = new ProcessBuilder("setsid", "sleep", "600").start();
    try {
      rewritePid(plan, 0, String.valueOf(stranger.pid()));

      Stopped stopped = stop(plan, PATIENT);

      assertThat(stopped.byTerm()).containsExactly(job);
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  @Hostile("an older process has the session of a run whose wrapper is gone")
  void whatIsOlderThanTheRunIsSpared() throws IOException {
    Process leader =
        new ProcessBuilder("setsid", "sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $$ $!").start();
    String[] said = leader.inputReader().readLine().split(" ", 2);
    long older = Long.parseLong(said[1]);
    try {
      ExtractionPlan plan = bench.plan("exit 0\n");
      bench.launch(plan);
      bench.ended(plan);
      rewritePid(plan, 0, said[0]);

      assertThat(stop(plan, AT_ONCE).says()).isEqualTo("nothing of it was left to end");
      assertThat(isAlive(older)).isTrue();
    } finally {
      RunBench.signal("KILL", older);
    }
  }

  @Test
  @Hostile("an orphan left the session and closed the log: only its environment tells")
  void anOrphanWithTheMarkAloneEnds() throws IOException {
    ExtractionPlan plan =
        bench.plan(
            "setsid sh -c 'echo $$ >\"$1\"; exec sleep 600' sh \"$1\" >/dev/null 2>&1 &\n"
                + "exec sleep 600\n",
            bench.home() + "/worker");
    Launched launched = bench.launch(plan);
    long worker = Long.parseLong(RunBench.awaitText(bench.home().resolve("worker")).strip());
    RunBench.signal("KILL", launched.pid());
    Await.until(() -> bench.state(plan) instanceof RunState.Orphaned);
    assertThat(bench.state(plan).pids()).contains(worker);

    assertThat(stop(plan, PATIENT).byTerm()).contains(worker);
    assertThat(isAlive(worker)).isFalse();
  }

  @Test
  @Hostile("a worker of another user, which may not be signalled")
  void aProcessOfAnotherUserIsNamedAsLeft() throws IOException {
    ExtractionPlan plan =
        bench.plan(
            "trap '' TERM\nsetpriv --reuid 65534 --clear-groups"
                + " sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' &\nwait\n");
    bench.launch(plan);
    long worker = Long.parseLong(RunBench.awaitText(log(plan)).strip());
    Map<String, String> environment =
        Map.of("PATH", System.getenv("PATH"), "HOME", bench.home().toString());
    try (Room room = Room.open(folder, false, "", "");
        Host powerless =
            room.host(environment, "setpriv", "--inh-caps=-all", "--bounding-set=-all")) {

      Stopped stopped =
          RunStopper.stop(
              new HostScripts(powerless), new RunFolder(bench.folder(plan).toString()), AT_ONCE);

      assertThat(stopped.isOver()).isFalse();
      assertThat(stopped.left()).extracting(Stopped.Left::pid).contains(worker);
      assertThat(stopped.says()).startsWith("did not end: ").contains(worker + " of ");
    }
    assertThat(isAlive(worker)).isTrue();
    assertThat(bench.state(plan).pids()).contains(worker);
    assertThat(stop(plan, AT_ONCE).isOver()).isTrue();
    assertThat(isAlive(worker)).isFalse();
  }

  @Test
  void stoppingTwiceIsStoppingOnce() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    RunBench.awaitText(log(plan));
    stop(plan, PATIENT);

    Stopped again = stop(plan, PATIENT);

    assertThat(again).isEqualTo(new Stopped(List.of(), List.of(), List.of()));
    assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("TERM", 143, List.of()));
  }

  @Test
  void twoThatStopTheSameRunBothFindItOver() throws Exception {
    ExtractionPlan plan =
        bench.plan("trap 'sleep 0.3; exit 5' TERM\necho up\nwhile :; do sleep 0.05; done\n");
    bench.launch(plan);
    RunBench.awaitText(log(plan));
    List<Stopped> results = new ArrayList<>();
    Thread other =
        new Thread(
            () -> {
              Stopped stopped = stop(plan, PATIENT);
              synchronized (results) {
                results.add(stopped);
              }
            });
    other.start();

    Stopped stopped = stop(plan, PATIENT);

    other.join();
    assertThat(stopped.isOver()).isTrue();
    assertThat(results).singleElement().satisfies(second -> assertThat(second.isOver()).isTrue());
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(5, List.of()));
  }

  @Test
  @Hostile("a run of another node that shares the state folder")
  void aRunOfAnotherNodeIsRefusedByItsName() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    String[] record = record(plan);
    rewritePid(plan, 3, "node17");

    assertRefused(plan, "runs on node17");

    write(plan, record);
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  @Hostile("the state folder may be written by others")
  void aStateFolderThatOthersMayWriteIsNotBelieved() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    Path runs = bench.folder(plan).getParent();
    Files.setPosixFilePermissions(runs, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertRefused(plan, "may be written by other users");

    Files.setPosixFilePermissions(runs, PosixFilePermissions.fromString("rwx------"));
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  @Hostile("the folder of a run is a link")
  void aRunFolderThatIsALinkIsNotBelieved() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    Path linked = bench.folder(plan).resolveSibling("20260101-000000-0000");
    Files.createSymbolicLink(linked, bench.folder(plan));

    assertThatThrownBy(
            () -> RunStopper.stop(bench.scripts(), new RunFolder(linked.toString()), AT_ONCE))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.problem()).contains("is a link"));
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  @Hostile("stop is called from inside the run")
  void aRunCannotBeStoppedFromWithin() throws IOException {
    Path answer = folder.toRealPath().resolve("answer");
    String script =
        HostScripts.text("run-end")
            + HostScripts.text("run-processes")
            + HostScripts.text("stop-run");
    Path stop = Files.writeString(folder.toRealPath().resolve("stop.sh"), script);
    ExtractionPlan plan =
        bench.plan(
            "echo up\nsh \"$1\" \"$HOME/.eagle3\" \"$EAGLE3_RUN\" 0 >\"$2.new\"\n"
                + "mv \"$2.new\" \"$2\"\nexec sleep 600\n",
            stop.toString(),
            answer.toString());
    bench.launch(plan);

    assertThat(RunBench.awaitText(answer)).contains("this very shell runs inside run");
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  private Stopped stop(ExtractionPlan plan, Duration killAfter) {
    return RunStopper.stop(
        bench.scripts(), new RunFolder(bench.folder(plan).toString()), killAfter);
  }

  private void assertRefused(ExtractionPlan plan, String why) {
    assertThatThrownBy(() -> stop(plan, AT_ONCE))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
              assertThat(failure.problem()).contains(why);
            });
  }

  private Path log(ExtractionPlan plan) {
    return bench.folder(plan).resolve("log");
  }

  private String[] record(ExtractionPlan plan) throws IOException {
    return Files.readString(bench.folder(plan).resolve("pid")).strip().split("\t");
  }

  private void rewritePid(ExtractionPlan plan, int field, String value) throws IOException {
    String[] record = record(plan);
    record[field] = value;
    write(plan, record);
  }

  private void write(ExtractionPlan plan, String... fields) throws IOException {
    Files.writeString(bench.folder(plan).resolve("pid"), String.join("\t", fields) + "\n");
  }

  private static boolean isAlive(long pid) throws IOException {
    Path stat = Path.of("/proc", String.valueOf(pid), "stat");
    return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
  }
}
