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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
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

/** The state of runs whose folders or machines are in a bad way: the truth, and never a crash. */
@Tag("slow")
class HostileStateTest {
  private static final RunState NEVER = new RunState.Lost("it was never started");

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
    ExtractionPlan plan = made("pid", "exit.pending");
    Process parent = new ProcessBuilder("sh", "-c", "true & echo $!; exec sleep 600").start();
    try {
      String zombie = parent.inputReader().readLine();
      String stat = "";
      while (!stat.contains(") Z ")) {
        stat = Files.readString(Path.of("/proc", zombie, "stat"));
        Thread.onSpinWait();
      }
      String start = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 21)[19];
      record(plan, zombie, start, boot(), node(), space());

      assertThat(bench.state(plan)).isEqualTo(new RunState.Lost("its processes were killed"));
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  @Hostile("a run directory half written, at each step of the launch")
  void eachStepOfALaunchIsToldAsBeingLaunchedAndLaterAsNeverStarted() throws IOException {
    List<String> steps = List.of("plan.json", "job.sh", "log", "alive", "exit.pending", "lock");
    for (int done = 0; done <= steps.size(); done++) {
      ExtractionPlan plan = made(steps.subList(0, done).toArray(String[]::new));

      assertThat(bench.state(plan)).as("%s", done).isEqualTo(new RunState.Launching());
      assertThat(bench.state(plan).word()).isEqualTo("running");
      assertThat(bench.state(plan).says()).isEqualTo("it is being launched");
      age(plan);
      assertThat(bench.state(plan)).as("%s", done).isEqualTo(NEVER);
      assertThat(stop(plan).says()).isEqualTo("nothing of it was left to end");
    }
  }

  @Test
  @Hostile("a launch was given up")
  void aLaunchThatWasGivenUpWasNeverStartedAtOnce() throws IOException {
    ExtractionPlan plan = made("plan.json", "log", "exit.none");

    assertThat(bench.state(plan)).isEqualTo(NEVER);
  }

  @Test
  @Hostile("a folder of a run from the future: the clock was set back")
  void aFolderFromTheFutureIsNotBeingLaunchedForEver() throws IOException {
    ExtractionPlan plan = made("plan.json", "exit.pending");
    touch(bench.folder(plan), Instant.now().plusSeconds(86_400));

    assertThat(bench.state(plan)).isEqualTo(NEVER);
  }

  @Test
  @Hostile("signs of life from the future: the clock was set back")
  void aSignOfLifeFromTheFutureIsSaid() throws IOException {
    ExtractionPlan plan = made("exit.pending", "alive");
    record(plan, "4711", "99", boot(), "node17", space());
    touch(bench.folder(plan).resolve("alive"), Instant.now().plusSeconds(86_400));

    assertThat(bench.state(plan)).isInstanceOf(RunState.Elsewhere.class);
    assertThat(bench.state(plan).says())
        .contains("node17")
        .contains("lies ahead by the clock here");
  }

  @Test
  @Hostile("the record of a wrapper is garbage, cut, huge or full of control characters")
  void aRecordThatMakesNoSenseIsSaid() throws IOException {
    String good = String.join("\t", "4711", "99", boot(), node(), space());
    List<String> bad =
        List.of(
            "\n",
            "garbage",
            "4711",
            "4711\t99",
            good.substring(0, good.lastIndexOf('\t')),
            "1\t0\t" + boot() + "\t" + node() + "\t" + space(),
            "-1\t99\t" + boot() + "\t" + node() + "\t" + space(),
            "99999999999999999999999\t99\t" + boot() + "\t" + node() + "\t" + space(),
            "4711\t99\t" + boot() + "\tnode\r\u001b[31m\t" + space(),
            "4711\t99\texit\r0\tnode\t" + space(),
            "\0\0\0\0",
            "4711 99 ".repeat(1 << 20));
    for (String text : bad) {
      ExtractionPlan plan = made("exit.pending", "alive", "log");
      Files.writeString(bench.folder(plan).resolve("pid"), text);
      touch(bench.folder(plan).resolve("alive"), Instant.now().minusSeconds(600));

      RunState state = bench.state(plan);

      String shown = text.substring(0, Math.min(60, text.length()));
      assertThat(state).as(shown).isInstanceOf(RunState.Lost.class);
      assertThat(state.says()).as(shown).contains("its file pid makes no sense");
      assertThat(stop(plan).isOver()).isTrue();
    }
  }

  @Test
  @Hostile("the record of a wrapper is no file, or leads elsewhere")
  void aRecordThatIsNoFileIsSaid() throws IOException {
    for (String kind : List.of("folder", "link", "pipe")) {
      ExtractionPlan plan = made("exit.pending");
      Path pid = bench.folder(plan).resolve("pid");
      switch (kind) {
        case "folder" -> Files.createDirectory(pid);
        case "link" -> Files.createSymbolicLink(pid, Path.of("/proc/self/stat"));
        default -> run("mkfifo", pid.toString());
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
    assertThat(stop(plan).isOver()).isTrue();
    assertThat(bench.state(plan).word()).isEqualTo("killed");
  }

  @Test
  @Hostile("a damaged record beside signs of life")
  void aDamagedRecordWithSignsOfLifeIsNotTakenForTheEnd() throws IOException {
    ExtractionPlan plan = made("exit.pending", "alive");
    Files.writeString(bench.folder(plan).resolve("pid"), "garbage");

    assertThat(bench.state(plan).hasEnded()).isFalse();
    assertThat(bench.state(plan).says()).contains("a node that cannot be told");
  }

  @Test
  @Hostile("files beside the exit code that look like one")
  void onlyAnExitCodeIsAnExitCode() throws IOException {
    ExtractionPlan plan = made("exit.abc", "exit.", "exit.-1", "exit.12345", "exit.1 2", "exit.7");
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(7, List.of()));

    ExtractionPlan none = made("exit.abc", "exit.12345", "exit.999");
    age(none);
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
    run("mkfifo", file.toString());
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
      ExtractionPlan plan = made("exit.0");
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
    ExtractionPlan plan = made("exit.0");
    Path runs = bench.home().resolve(".eagle3/runs");
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
      Files.createDirectory(runs.resolve(name));
    }
    Files.createFile(runs.resolve("99999999-999999-0000"));
    Files.createSymbolicLink(runs.resolve("99999999-999998-0000"), bench.folder(plan));

    assertThat(RunLister.list(bench.scripts(), Optional.empty(), 50).runs())
        .extracting(status -> status.folder().run())
        .containsExactly(plan.run());
    assertThat(RunStateReader.read(bench.scripts(), Optional.empty(), "latest").folder().run())
        .isEqualTo(plan.run());
  }

  @Test
  @Hostile("a thousand runs, most of them lost")
  void aThousandRunsAreListed() throws IOException {
    Path runs = Files.createDirectories(bench.home().resolve(".eagle3/runs"));
    for (int number = 0; number < 1000; number++) {
      Path run = Files.createDirectory(runs.resolve(String.format("20260101-000000-%04x", number)));
      Files.writeString(run.resolve("lock"), "/out/" + number + ".eagle3-lock\n");
      if (number % 2 == 0) {
        Files.createFile(run.resolve("exit.pending"));
        String[] who = {"4711", "99", boot(), node(), space()};
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
        assertThatThrownBy(() -> stop(plan))
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
    touch(old, Instant.now().minusSeconds(600));
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

  private Stopped stop(ExtractionPlan plan) {
    return RunStopper.stop(
        bench.scripts(), new RunFolder(bench.folder(plan).toString()), Duration.ZERO);
  }

  /** A folder of a run with empty files of these names. */
  private ExtractionPlan made(String... files) throws IOException {
    ExtractionPlan plan = bench.plan("");
    Path run = Files.createDirectories(bench.folder(plan));
    for (String made : List.of(".eagle3", ".eagle3/runs", ".eagle3/runs/" + plan.run())) {
      Files.setPosixFilePermissions(
          bench.home().resolve(made), PosixFilePermissions.fromString("rwx------"));
    }
    for (String file : files) {
      Files.createFile(run.resolve(file));
    }
    return plan;
  }

  private void age(ExtractionPlan plan) throws IOException {
    touch(bench.folder(plan), Instant.now().minusSeconds(600));
  }

  private static void touch(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  private void record(ExtractionPlan plan, String... fields) throws IOException {
    Files.writeString(bench.folder(plan).resolve("pid"), String.join("\t", fields) + "\n");
  }

  private void assertPlanRefused(RunFolder at) {
    assertThatThrownBy(() -> PlanReader.read(bench.host().files(), at))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.REFUSED));
  }

  private static String boot() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  private static String node() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  private static String space() throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
  }

  private static void run(String... words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).isEmpty();
  }
}
