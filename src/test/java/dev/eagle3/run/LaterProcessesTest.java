package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody starts by hand where a run was is none of its processes. */
@Tag("slow")
class LaterProcessesTest {
  private static final Duration PATIENT = Duration.ofMinutes(5);

  @TempDir Path folder;
  private final List<Long> strangers = new ArrayList<>();
  private RunBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
  }

  @AfterEach
  void close() {
    strangers.forEach(pid -> RunBench.signal("KILL", pid));
    bench.close();
  }

  @Test
  @Hostile("the log of a run that is over is written to by a job started by hand")
  void aJobThatIsStartedByHandOverTheOldLogIsSpared() throws IOException {
    ExtractionPlan plan = finished("exit 0\n");

    long job = startedByHand(plan, ">");

    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(0, List.of()));
    assertThat(stop(plan).says()).isEqualTo("nothing of it was left to end");
    assertThat(lives(job)).isTrue();
  }

  @Test
  @Hostile("a job is started by hand over the log of a run that lives")
  void aJobThatIsStartedByHandOverTheLogOfALiveRunIsSpared() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    RunBench.awaitText(bench.folder(plan).resolve("log"));

    long job = startedByHand(plan, ">");

    assertThat(stop(plan).isOver()).isTrue();
    assertThat(lives(job)).isTrue();
  }

  @Test
  @Hostile("a job is started by hand and appends to the log of a run that left a worker behind")
  void whatAppendsToTheLogLaterIsSparedAndWhatTheRunLeftIsNot() throws IOException {
    // env -i is what setproctitle does: the log alone shows whose this worker is.
    ExtractionPlan plan =
        finished("setsid env -i sh -c 'echo $$; exec sleep 600' &\nexec sleep 0.2\n");
    long worker = Long.parseLong(RunBench.awaitText(bench.folder(plan).resolve("log")).strip());
    // What begins within a moment of the end may yet be counted as the run's.
    Await.until(() -> !bench.state(plan).pids().contains(startedByHand(plan, ">>")));
    long job = strangers.get(strangers.size() - 1);

    assertThat(bench.state(plan).pids()).contains(worker).doesNotContain(job);
    assertThat(stop(plan).byTerm()).contains(worker).doesNotContain(job);
    assertThat(lives(job)).isTrue();
    assertThat(lives(worker)).isFalse();
  }

  @Test
  @Hostile("a job is started by hand and appends to the log of a lost run whose job goes on")
  void theJobOfALostRunEndsWithItsSessionAndWhatIsStartedLaterDoesNot() throws IOException {
    ExtractionPlan plan =
        bench.plan("env -i sleep 600 >/dev/null 2>&1 &\necho $$ $!; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    String[] pids = RunBench.awaitText(bench.folder(plan).resolve("log")).strip().split(" ", 2);
    RunBench.signal("KILL", launched.pid());
    Await.until(() -> bench.state(plan) instanceof RunState.Orphaned);
    MadeRuns.touch(bench.folder(plan).resolve("alive"), Instant.now().minusSeconds(3600));
    long job = startedByHand(plan, ">>");

    assertThat(bench.state(plan).pids())
        .containsExactlyInAnyOrder(Long.parseLong(pids[0]), Long.parseLong(pids[1]));
    assertThat(stop(plan).isOver()).isTrue();
    assertThat(lives(Long.parseLong(pids[1]))).isFalse();
    assertThat(lives(job)).isTrue();
    assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("TERM", 143, List.of()));
  }

  @Test
  @Hostile("the session number of a run that is over was given away, and its leader has gone since")
  void aSessionWhoseNumberWasTheWrappersIsSpared() throws IOException {
    ExtractionPlan plan = finished("exit 0\n");
    Process login =
        new ProcessBuilder("setsid", "sh", "-c", "nohup sleep 600 >/dev/null 2>&1 & echo $$ $!")
            .start();
    String[] said = login.inputReader().readLine().split(" ", 2);
    long job = Long.parseLong(said[1]);
    strangers.add(job);
    Await.until(() -> !login.isAlive());
    // As if all of the run had been ten seconds earlier, with that number.
    Path record = bench.folder(plan).resolve("pid");
    String[] fields = Files.readString(record).strip().split("\t");
    fields[0] = said[0];
    fields[1] = String.valueOf(Long.parseLong(fields[1]) - 1000);
    Files.writeString(record, String.join("\t", fields) + "\n");

    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(0, List.of()));
    assertThat(stop(plan).says()).isEqualTo("nothing of it was left to end");
    assertThat(lives(job)).isTrue();
  }

  private ExtractionPlan finished(String job) throws IOException {
    ExtractionPlan plan = bench.plan(job);
    bench.launch(plan);
    assertThat(bench.ended(plan)).isInstanceOf(RunState.Finished.class);
    return plan;
  }

  /**
   * A process with the path that was named for the log open, as {@code nohup JOB > PATH} has it.
   */
  private long startedByHand(ExtractionPlan plan, String how) {
    String text = "exec 3" + how + "\"$1\"; echo up; exec sleep 600";
    try {
      Process job = new ProcessBuilder("setsid", "sh", "-c", text, "sh", plan.logFile()).start();
      strangers.add(job.pid());
      assertThat(job.inputReader().readLine()).isEqualTo("up");
      return job.pid();
    } catch (IOException unstarted) {
      throw new UncheckedIOException(unstarted);
    }
  }

  private Stopped stop(ExtractionPlan plan) {
    return RunStopper.stop(bench.scripts(), new RunFolder(bench.folder(plan).toString()), PATIENT);
  }

  private static boolean lives(long pid) throws IOException {
    Path stat = Path.of("/proc", String.valueOf(pid), "stat");
    return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
  }
}
