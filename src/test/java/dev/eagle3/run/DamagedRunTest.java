package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of runs whose folders are half written or damaged: the truth, and never a crash. */
@Tag("slow")
class DamagedRunTest {
  private static final RunState NEVER = new RunState.Lost("it was never started");

  @TempDir Path folder;
  private RunBench bench;
  private MadeRuns runs;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
    runs = new MadeRuns(bench);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @Hostile("a run directory half written, at each step of the launch")
  void eachStepOfALaunchIsToldAsBeingLaunchedAndLaterAsNeverStarted() throws IOException {
    List<String> steps = List.of("plan.json", "job.sh", "log", "alive", "exit.pending", "lock");
    for (int done = 0; done <= steps.size(); done++) {
      ExtractionPlan plan = runs.made(steps.subList(0, done).toArray(String[]::new));

      assertThat(bench.state(plan)).as("%s", done).isEqualTo(new RunState.Launching());
      assertThat(bench.state(plan).word()).isEqualTo("running");
      assertThat(bench.state(plan).says()).isEqualTo("it is being launched");
      runs.age(plan);
      assertThat(bench.state(plan)).as("%s", done).isEqualTo(NEVER);
      assertThat(runs.stop(plan).says()).isEqualTo("nothing of it was left to end");
    }
  }

  @Test
  @Hostile("stop is called in the middle of a launch")
  void aRunThatIsBeingLaunchedIsNotSaidToBeOver() throws IOException {
    ExtractionPlan plan = runs.made("plan.json", "exit.pending");

    assertThatThrownBy(() -> runs.stop(plan))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
              assertThat(failure.problem()).contains("is being launched at this moment");
            });
  }

  @Test
  @Hostile("a launch was given up")
  void aLaunchThatWasGivenUpWasNeverStartedAtOnce() throws IOException {
    ExtractionPlan plan = runs.made("plan.json", "log", "exit.none");

    assertThat(bench.state(plan)).isEqualTo(NEVER);
  }

  @Test
  @Hostile("the record of a wrapper is garbage, cut, huge or full of control characters")
  void aRecordThatMakesNoSenseIsSaid() throws IOException {
    String good =
        String.join("\t", "4711", "99", MadeRuns.boot(), MadeRuns.node(), MadeRuns.space());
    List<String> bad =
        List.of(
            "\n",
            "garbage",
            "4711",
            "4711\t99",
            good.substring(0, good.lastIndexOf('\t')),
            "1\t0\t" + MadeRuns.boot() + "\t" + MadeRuns.node() + "\t" + MadeRuns.space(),
            "-1\t99\t" + MadeRuns.boot() + "\t" + MadeRuns.node() + "\t" + MadeRuns.space(),
            "99999999999999999999999\t99\t"
                + MadeRuns.boot()
                + "\t"
                + MadeRuns.node()
                + "\t"
                + MadeRuns.space(),
            "4711\t99\t" + MadeRuns.boot() + "\tnode\r\u001b[31m\t" + MadeRuns.space(),
            "4711\t99\texit\r0\tnode\t" + MadeRuns.space(),
            "\0\0\0\0",
            "4711 99 ".repeat(1 << 20));
    for (String text : bad) {
      ExtractionPlan plan = runs.made("exit.pending", "alive", "log");
      Files.writeString(bench.folder(plan).resolve("pid"), text);
      MadeRuns.touch(bench.folder(plan).resolve("alive"), Instant.now().minusSeconds(600));

      RunState state = bench.state(plan);

      String shown = text.substring(0, Math.min(60, text.length()));
      assertThat(state).as(shown).isInstanceOf(RunState.Lost.class);
      assertThat(state.says()).as(shown).contains("its file pid makes no sense");
      assertThat(runs.stop(plan).isOver()).isTrue();
    }
  }

  @Test
  @Hostile("the record of a wrapper is no file, or leads elsewhere")
  void aRecordThatIsNoFileIsSaid() throws IOException {
    for (String kind : List.of("folder", "link", "pipe")) {
      ExtractionPlan plan = runs.made("exit.pending");
      Path pid = bench.folder(plan).resolve("pid");
      switch (kind) {
        case "folder" -> Files.createDirectory(pid);
        case "link" -> Files.createSymbolicLink(pid, Path.of("/proc/self/stat"));
        default -> MadeRuns.run("mkfifo", pid.toString());
      }

      assertThat(bench.state(plan).says()).as(kind).contains("its file pid is no file");
    }
  }

  @Test
  @Hostile("the record of a wrapper was damaged while it runs")
  void processesOfARunWhoseRecordIsDamagedAreFoundAndCanBeStopped() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(bench.folder(plan).resolve("log")).strip());
    Files.writeString(bench.folder(plan).resolve("pid"), "garbage");

    RunState state = bench.state(plan);

    assertThat(state).isInstanceOf(RunState.Orphaned.class);
    assertThat(state.pids()).contains(job, launched.pid());
    assertThat(runs.stop(plan).isOver()).isTrue();
    assertThat(bench.state(plan).word()).isEqualTo("killed");
  }

  @Test
  @Hostile("a damaged record beside signs of life")
  void aDamagedRecordWithSignsOfLifeIsNotTakenForTheEnd() throws IOException {
    ExtractionPlan plan = runs.made("exit.pending", "alive");
    Files.writeString(bench.folder(plan).resolve("pid"), "garbage");

    assertThat(bench.state(plan).hasEnded()).isFalse();
    assertThat(bench.state(plan).says()).contains("a node that cannot be told");
  }

  @Test
  @Hostile("files beside the exit code that look like one")
  void onlyAnExitCodeIsAnExitCode() throws IOException {
    ExtractionPlan plan =
        runs.made("exit.abc", "exit.", "exit.-1", "exit.12345", "exit.1 2", "exit.7");
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(7, List.of()));

    ExtractionPlan none = runs.made("exit.abc", "exit.12345", "exit.999");
    runs.age(none);
    assertThat(bench.state(none)).isEqualTo(NEVER);
  }

  @Test
  @Hostile("the plan of a run is missing, cut, garbage, huge, of another run, or no file")
  void aPlanThatTellsNothingIsRefusedAndTheStateIsToldAllTheSame() throws IOException {
    ExtractionPlan plan = bench.plan("exit 3\n");
    bench.launch(plan);
    bench.ended(plan);
    Path file = bench.folder(plan).resolve("plan.json");
    String good = Files.readString(file);
    RunFolder at = new RunFolder(bench.folder(plan).toString());

    for (String bad :
        List.of(
            "",
            "{",
            good.substring(0, good.length() / 2),
            "\0".repeat(100),
            "[".repeat(100_000),
            good.replace(plan.run().text(), "20260101-000000-0000"),
            good.replace("\"v\" : 1", "\"v\" : 2"))) {
      Files.writeString(file, bad);
      assertPlanRefused(at);
    }
    Files.delete(file);
    assertPlanRefused(at);
    Files.createDirectory(file);
    assertPlanRefused(at);
    Files.delete(file);
    MadeRuns.run("mkfifo", file.toString());
    assertPlanRefused(at);
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(3, List.of()));
  }

  @Test
  @Hostile("the log of a run is a folder, a link that leads nowhere, or gone")
  void aLogThatIsNoneIsNoReasonToSayNothing() throws IOException {
    ExtractionPlan plan = bench.plan("exit 3\n");
    bench.launch(plan);
    bench.ended(plan);
    Path log = bench.folder(plan).resolve("log");
    Files.delete(log);
    assertThat(bench.status(plan).logBytes()).isEqualTo(-1);
    Files.createSymbolicLink(log, Path.of("/nowhere/at all"));
    assertThat(bench.status(plan).state()).isEqualTo(new RunState.Finished(3, List.of()));
    Files.delete(log);
    Files.createDirectory(log);
    assertThat(bench.status(plan).state()).isEqualTo(new RunState.Finished(3, List.of()));
  }

  @Test
  @Hostile("a lock file of a run that names another place")
  void aLockFileThatMakesNoSenseNamesNoOutput() throws IOException {
    for (String text :
        List.of("", "/etc", "relative.eagle3-lock", "/a\u001b[31m.eagle3-lock", "/\n/x")) {
      ExtractionPlan plan = runs.made("exit.0");
      Files.writeString(bench.folder(plan).resolve("lock"), text);

      assertThat(bench.status(plan).details().output()).as(text).isEmpty();
      assertThat(RunLister.list(bench.scripts(), Optional.empty(), 1).runs())
          .singleElement()
          .satisfies(status -> assertThat(status.details().output()).isEmpty());
    }
  }

  @Test
  @Hostile("names among the runs that are no ids")
  void whatIsNoRunIsNotListed() throws IOException {
    ExtractionPlan plan = runs.made("exit.0");
    Path all = bench.home().resolve(".eagle3/runs");
    for (String name :
        List.of(
            "2-9-zzzz",
            "99999999-999999-XXXX",
            "99999999-999999-00000",
            "99999999-999999-00 0",
            "99999999-999999\n-0000",
            "exit",
            "99999999-999999-0000.lock",
            "-rf")) {
      Files.createDirectory(all.resolve(name));
    }
    Files.createFile(all.resolve("99999999-999999-0000"));
    Files.createSymbolicLink(all.resolve("99999999-999998-0000"), bench.folder(plan));

    assertThat(RunLister.list(bench.scripts(), Optional.empty(), 50).runs())
        .extracting(status -> status.folder().run())
        .containsExactly(plan.run());
    assertThat(RunStateReader.read(bench.scripts(), Optional.empty(), "latest").folder().run())
        .isEqualTo(plan.run());
  }

  private void assertPlanRefused(RunFolder at) {
    assertThatThrownBy(() -> PlanReader.read(bench.host().files(), at))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.REFUSED));
  }
}
