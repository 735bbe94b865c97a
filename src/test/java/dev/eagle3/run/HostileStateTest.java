package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of runs on machines that are in a bad way: the truth, and never a crash. */
@Tag("slow")
class HostileStateTest {
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
  @Hostile("the disk is full when the job ends")
  void aFullDiskAtTheEndKeepsTheExitCode() throws IOException {
    Path state = Files.createDirectories(bench.home().resolve(".eagle3"));
    try (Room room =
        Room.open(folder, false, "mount -t tmpfs -o size=128k small \"$1\"", state.toString())) {
      try (RunBench inside = inside(room)) {
        ExtractionPlan plan = inside.plan("cat /dev/zero 2>/dev/null\nexit 42\n");
        inside.launch(plan);

        assertThat(inside.ended(plan)).isEqualTo(new RunState.Finished(42, List.of()));
        assertThat(room.run("echo x >'" + state + "/full'")).as("the disk is full").isNotEmpty();
        assertThat(RunLister.list(inside.scripts(), Optional.empty(), 5).runs()).hasSize(1);
      }
    }
  }

  @Test
  @Hostile("a run of another container with the same state folder")
  void aRunOfAnotherPidNamespaceIsElsewhereAndIsNotTouched() throws IOException {
    try (Room room = Room.open(folder, true, "", "")) {
      HostScripts within = new HostScripts(room.host(environment()));
      ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
      OutputLocker.lock(within, plan);
      Launcher.launch(within, plan);
      RunBench.awaitText(bench.folder(plan).resolve("log"));

      assertThat(RunStateReader.read(within, Optional.empty(), plan.run().text()).state())
          .isInstanceOf(RunState.Running.class);
      assertThat(bench.state(plan))
          .isInstanceOfSatisfying(
              RunState.Elsewhere.class,
              state -> assertThat(state.node()).startsWith("another container of "));
      assertThatThrownBy(
              () ->
                  RunStopper.stop(
                      bench.scripts(), new RunFolder(bench.folder(plan).toString()), Duration.ZERO))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.REFUSED));
      assertThat(RunStateReader.read(within, Optional.empty(), plan.run().text()).state())
          .isInstanceOf(RunState.Running.class);
    }
  }

  @Test
  @Hostile("the wrapper is a zombie")
  void aZombieWrapperIsGone() throws IOException, InterruptedException {
    ExtractionPlan plan = runs.made("pid", "exit.pending");
    // The child ends once its parent is a program that asks for no exit code.
    String child = "while read -r name </proc/$$/comm && [ $name != sleep ]; do :; done";
    Process parent =
        new ProcessBuilder("sh", "-c", "(" + child + ") & echo $!; exec sleep 600").start();
    try {
      String zombie = parent.inputReader().readLine();
      String stat = "";
      while (!stat.contains(") Z ")) {
        stat = Files.readString(Path.of("/proc", zombie, "stat"));
        Thread.onSpinWait();
      }
      String start = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 21)[19];
      runs.record(plan, zombie, start, MadeRuns.boot(), MadeRuns.node(), MadeRuns.space());

      assertThat(bench.state(plan)).isEqualTo(new RunState.Lost("its processes were killed"));
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  @Hostile("a folder of a run from the future: the clock was set back")
  void aFolderFromTheFutureIsNotBeingLaunchedForEver() throws IOException {
    ExtractionPlan plan = runs.made("plan.json", "exit.pending");
    MadeRuns.touch(bench.folder(plan), Instant.now().plusSeconds(86_400));

    assertThat(bench.state(plan)).isEqualTo(NEVER);
  }

  @Test
  @Hostile("signs of life from the future: the clock was set back")
  void aSignOfLifeFromTheFutureIsSaid() throws IOException {
    ExtractionPlan plan = runs.made("exit.pending", "alive");
    runs.record(plan, "4711", "99", MadeRuns.boot(), "node17", MadeRuns.space());
    MadeRuns.touch(bench.folder(plan).resolve("alive"), Instant.now().plusSeconds(86_400));

    assertThat(bench.state(plan)).isInstanceOf(RunState.Elsewhere.class);
    assertThat(bench.state(plan).says())
        .contains("node17")
        .contains("lies ahead by the clock here");
  }

  @Test
  @Hostile("a thousand runs, most of them lost")
  void aThousandRunsAreListed() throws IOException {
    Path all = Files.createDirectories(bench.home().resolve(".eagle3/runs"));
    for (int number = 0; number < 1000; number++) {
      Path run = Files.createDirectory(all.resolve(String.format("20260101-000000-%04x", number)));
      Files.writeString(run.resolve("lock"), "/out/" + number + ".eagle3-lock\n");
      if (number % 2 == 0) {
        Files.createFile(run.resolve("exit.pending"));
        String[] who = {"4711", "99", MadeRuns.boot(), MadeRuns.node(), MadeRuns.space()};
        Files.writeString(run.resolve("pid"), String.join("\t", who) + "\n");
      } else {
        Files.createFile(run.resolve("exit.0"));
      }
    }

    RunList list = RunLister.list(bench.scripts(), Optional.empty(), 1000);

    assertThat(list.runs()).hasSize(1000);
    assertThat(list.runs().get(0).details().output()).contains("/out/999");
    assertThat(list.runs())
        .filteredOn(status -> status.state() instanceof RunState.Lost)
        .hasSize(500);
  }

  @Test
  @Hostile("the state folder lies on a disk that is read-only")
  void aReadOnlyStateFolderIsRead() throws IOException {
    ExtractionPlan plan = bench.plan("exit 3\n");
    bench.launch(plan);
    bench.ended(plan);
    String state = bench.home().resolve(".eagle3").toString();
    try (Room room =
        Room.open(
            folder, false, "mount --bind \"$1\" \"$1\"\nmount -o remount,bind,ro \"$1\"", state)) {
      try (RunBench inside = inside(room)) {
        assertThat(inside.state(plan)).isEqualTo(new RunState.Finished(3, List.of()));
        assertThat(RunLister.list(inside.scripts(), Optional.empty(), 5).runs()).hasSize(1);
        ExtractionPlan next = inside.plan("exit 0\n");
        assertThatThrownBy(() -> OutputLocker.lock(inside.scripts(), next))
            .isInstanceOfSatisfying(
                Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.REFUSED));
      }
    }
  }

  @Test
  @Hostile("an orphan on a read-only disk")
  void anOrphanIsEndedAlsoWhereNothingCanBeWritten() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(bench.folder(plan).resolve("log")).strip());
    RunBench.signal("KILL", launched.pid());
    assertThat(bench.ended(plan)).isInstanceOf(RunState.Orphaned.class);
    String state = bench.home().resolve(".eagle3").toString();
    try (Room room =
        Room.open(
            folder, false, "mount --bind \"$1\" \"$1\"\nmount -o remount,bind,ro \"$1\"", state)) {
      try (RunBench inside = inside(room)) {
        Stopped stopped =
            RunStopper.stop(
                inside.scripts(),
                new RunFolder(bench.folder(plan).toString()),
                Duration.ofMinutes(1));

        assertThat(stopped.byTerm()).containsExactly(job);
        assertThat(inside.state(plan)).isEqualTo(new RunState.Lost("its processes were killed"));
      }
    }
  }

  @Test
  @Hostile("the state folder belongs to another user")
  void aStateFolderOfAnotherUserIsReadAndNotBelievedWhenItComesToSignals() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    String state = bench.home().resolve(".eagle3").toString();
    try (Room room = Room.open(folder, false, "chown 12345 \"$1\"/runs", state)) {
      try {
        assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
        assertThatThrownBy(() -> runs.stop(plan))
            .isInstanceOfSatisfying(
                Failure.class,
                failure -> {
                  assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
                  assertThat(failure.problem()).contains("belongs to user");
                });
      } finally {
        room.run("chown 0 '" + state + "/runs'");
      }
    }
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  @Hostile("the state folder is a link")
  void aStateFolderThatIsALinkIsReadAndNotBelievedWhenItComesToSignals() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    Path link = bench.home().resolve("linked");
    Files.createSymbolicLink(link, bench.home().resolve(".eagle3"));
    Optional<String> state = Optional.of(link.toString());

    RunStatus status = RunStateReader.read(bench.scripts(), state, plan.run().text());

    assertThat(status.state()).isInstanceOf(RunState.Running.class);
    assertThatThrownBy(() -> RunStopper.stop(bench.scripts(), status.folder(), Duration.ZERO))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.problem()).contains("is a link"));
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  @Hostile("a state folder that may not be read")
  void aStateFolderThatCannotBeEnteredHasNoRuns() throws IOException {
    Path state = Files.createDirectories(bench.home().resolve(".eagle3"));
    Files.createFile(state.resolve("runs"));

    assertThat(RunLister.list(bench.scripts(), Optional.empty(), 5).runs()).isEmpty();
    assertThat(RunStateReader.find(bench.scripts(), Optional.empty(), "latest")).isEmpty();
  }

  @Test
  void whatARunHasSavedIsCountedWhenAllIsAsked() throws IOException {
    ExtractionPlan plan =
        bench.plan(
            "mkdir -p \"$1/rows 0\"\necho >\"$1/data_0.pt\"; echo >\"$1/rows 0/data_1.ckpt\"\n"
                + "echo >\"$1/notes.txt\"\nexec sleep 600\n",
            bench.home() + "/hidden states");
    Files.createDirectories(bench.home().resolve("hidden states"));
    Path old = Files.createFile(bench.home().resolve("hidden states/data_9.pt"));
    MadeRuns.touch(old, Instant.now().minusSeconds(600));
    bench.launch(plan);
    dev.eagle3.host.Await.until(
        () -> Files.exists(bench.home().resolve("hidden states/notes.txt")));

    RunDetails details =
        RunStateReader.readWhole(bench.scripts(), Optional.empty(), "latest").details();

    assertThat(details.samples()).hasValue(2);
    assertThat(details.output()).contains(bench.home() + "/hidden states");
    assertThat(details.holdsOutput()).isTrue();
    assertThat(bench.status(plan).details().samples()).isEmpty();
  }

  private Map<String, String> environment() {
    return Map.of("PATH", System.getenv("PATH"), "HOME", bench.home().toString());
  }

  private RunBench inside(Room room) {
    Host host = room.host(environment());
    return new RunBench(bench.home(), host);
  }
}
