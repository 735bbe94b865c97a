package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.Await;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state rule on real processes. */
class RunStateReaderTest {
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
  void aWrapperThatWasKilledWithItsJobIsLost() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 60\n");
    Launched launched = bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(bench.folder(plan).resolve("log")).strip());

    RunBench.signal("KILL", launched.pid());
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Orphaned(List.of(job)));
    RunBench.signal("KILL", job);

    Await.until(() -> bench.state(plan).isOver());
    assertThat(bench.state(plan)).isEqualTo(new RunState.Lost("its processes were killed"));
  }

  @Test
  @Hostile("a worker left the session and wiped its environment")
  void aWorkerInAnotherSessionIsFoundByTheLogThatItWrites() throws IOException {
    // env -i is what setproctitle does to a worker: its environment tells nothing any more.
    ExtractionPlan plan =
        bench.plan("setsid env -i sh -c 'echo $$; exec sleep 60' &\nexec sleep 0.1\n");
    bench.launch(plan);
    long worker = Long.parseLong(RunBench.awaitText(bench.folder(plan).resolve("log")).strip());

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of(worker)));
    assertThat(bench.state(plan).isOver()).isFalse();
    assertThat(bench.state(plan).says()).contains("process " + worker + " still lives");
  }

  @Test
  @Hostile("a worker left the session and closed the log")
  void aWorkerWithoutTheLogIsFoundByItsEnvironment() throws IOException {
    ExtractionPlan plan =
        bench.plan(
            "setsid sh -c 'echo $$ >\"$1\"; exec sleep 60' sh \"$1\" >/dev/null 2>&1 &\n",
            bench.home() + "/worker");
    bench.launch(plan);
    long worker = Long.parseLong(RunBench.awaitText(bench.home().resolve("worker")).strip());

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of(worker)));
  }

  @Test
  void processesThatHaveNothingOfTheRunAreNotItsOwn() throws IOException {
    ExtractionPlan other = bench.plan("echo $$; exec sleep 60\n");
    ExtractionPlan plan =
        Replaced.outputDir(bench.plan("exit 0\n"), bench.home().resolve("other").toString());
    bench.launch(plan);
    bench.launch(other);

    Process reader =
        new ProcessBuilder("tail", "-f", bench.folder(plan).resolve("log").toString()).start();
    try {
      assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
    } finally {
      reader.destroyForcibly();
    }
  }

  @Test
  @Hostile("who asks has the mark of the run")
  void whoAsksIsNeverAProcessOfTheRun() throws IOException {
    ExtractionPlan plan = bench.plan("exit 0\n");
    bench.launch(plan);
    bench.ended(plan);

    try (RunBench within =
        new RunBench(
            bench.home(),
            RunBench.localHost(bench.home(), Map.of("EAGLE3_RUN", plan.run().text())))) {
      assertThat(within.state(plan)).isEqualTo(new RunState.Finished(0, List.of()));
    }
  }

  @Test
  @Hostile("the process id of a wrapper was given away since")
  void aProcessIdThatWasGivenAwaySinceIsNotTheRun() throws IOException {
    ExtractionPlan plan = bench.plan("exec sleep 60\n");
    bench.launch(plan);
    String[] pid = Files.readString(bench.folder(plan).resolve("pid")).strip().split("\t");

    write(plan, "1", "0", pid[2], pid[3], pid[4]);
    assertThat(bench.state(plan).hasEnded()).isTrue();

    // The same number, started later than the run: what it holds is not the run's either.
    write(plan, pid[0], String.valueOf(Long.parseLong(pid[1]) + 1_000_000), pid[2], pid[3], pid[4]);
    assertThat(bench.state(plan)).isInstanceOf(RunState.Lost.class);
    write(plan, pid);
  }

  @Test
  @Hostile("the boot id changed")
  void anotherBootMeansThatTheHostWasStartedAnew() throws IOException {
    ExtractionPlan plan = bench.plan("exec sleep 60\n");
    bench.launch(plan);
    String[] pid = Files.readString(bench.folder(plan).resolve("pid")).strip().split("\t");
    write(plan, pid[0], pid[1], "0-other-boot", pid[3], pid[4]);
    beat(plan, Instant.parse("2001-01-01T00:00:00Z"));

    assertThat(bench.state(plan)).isEqualTo(new RunState.Lost("the host was started anew since"));
    write(plan, pid);
  }

  @Test
  @Hostile("another node on a shared home falls silent")
  void anotherNodeIsElsewhereUntilItFallsSilent() throws IOException {
    ExtractionPlan plan = bench.plan("exec sleep 60\n");
    bench.launch(plan);
    String[] pid = Files.readString(bench.folder(plan).resolve("pid")).strip().split("\t");
    write(plan, pid[0], pid[1], "0-other-boot", "node17", "pid:[1]");

    assertThat(bench.state(plan))
        .isInstanceOfSatisfying(
            RunState.Elsewhere.class, state -> assertThat(state.node()).isEqualTo("node17"));
    assertThat(bench.state(plan).hasEnded()).isFalse();

    beat(plan, Instant.now().minusSeconds(301));
    assertThat(bench.state(plan)).isInstanceOf(RunState.Lost.class);
    assertThat(bench.state(plan).says()).contains("it ran on node17");
    write(plan, pid);
  }

  @Test
  void theLatestIsTheNewestOfThoseThatAreRuns() throws IOException {
    assertThat(RunStateReader.find(bench.scripts(), Optional.empty(), "latest")).isEmpty();
    ExtractionPlan first = bench.plan("exit 1\n");
    ExtractionPlan second = bench.plan("exit 2\n");
    bench.launch(second);
    bench.ended(second);
    bench.launch(first);
    bench.ended(first);
    Files.createDirectories(bench.folder(first).resolveSibling("zzz"));

    RunStatus latest = RunStateReader.read(bench.scripts(), Optional.empty(), "latest");

    assertThat(latest.folder().run()).isEqualTo(second.run());
    assertThat(latest.state().code()).isEqualTo(2);
  }

  @Test
  void aRunThatIsNotThereIsRefused() {
    assertThatThrownBy(
            () -> RunStateReader.read(bench.scripts(), Optional.empty(), "20260101-000000-0000"))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
              assertThat(failure.problem()).isEqualTo("no run 20260101-000000-0000");
            });
  }

  @Test
  void runsAreListedNewestFirstWithTheirStates() throws IOException {
    ExtractionPlan done = bench.plan("exit 3\n");
    bench.launch(done);
    bench.ended(done);
    ExtractionPlan never = bench.plan("exit 0\n");
    Files.createDirectories(bench.folder(never));
    age(bench.folder(never));
    ExtractionPlan running = bench.plan("exec sleep 60\n");
    Launched launched = bench.launch(running);

    RunList all = RunLister.list(bench.scripts(), Optional.empty(), 10);
    RunList newest = RunLister.list(bench.scripts(), Optional.empty(), 1);

    assertThat(all.runs())
        .extracting(status -> status.folder().run(), RunStatus::state)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                running.run(), new RunState.Running(launched.pid())),
            org.assertj.core.groups.Tuple.tuple(
                never.run(), new RunState.Lost("it was never started")),
            org.assertj.core.groups.Tuple.tuple(done.run(), new RunState.Finished(3, List.of())));
    assertThat(all.older()).isZero();
    assertThat(newest.runs()).hasSize(1);
    assertThat(newest.older()).isEqualTo(2);
  }

  /** Makes the folder look as if nothing had happened in it for some minutes. */
  static void age(Path folder) throws IOException {
    Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(600)));
  }

  private void write(ExtractionPlan plan, String... fields) throws IOException {
    Files.writeString(bench.folder(plan).resolve("pid"), String.join("\t", fields) + "\n");
  }

  private void beat(ExtractionPlan plan, Instant time) throws IOException {
    Files.setLastModifiedTime(bench.folder(plan).resolve("alive"), FileTime.from(time));
  }
}
