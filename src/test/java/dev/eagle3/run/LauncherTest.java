package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
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
  void aLaunchReturnsWhileTheJobRuns() throws IOException {
    ExtractionPlan plan = bench.plan("echo loading; exec sleep 30\n");

    Launched launched = bench.launch(plan);

    assertThat(bench.state(plan)).isEqualTo(new RunState.Running(launched.pid()));
    assertThat(launched.folder().path()).isEqualTo(bench.folder(plan).toString());
    assertThat(launched.notes()).isEmpty();
    assertThat(RunBench.awaitText(bench.home().resolve("extract.log"))).isEqualTo("loading\n");
  }

  @Test
  void theExitCodeOfTheJobIsKept() throws IOException {
    ExtractionPlan plan = bench.plan("echo to stdout; echo to stderr >&2; exit 42\n");

    bench.launch(plan);

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(42, List.of()));
    assertThat(Files.readString(Path.of(new RunFolder(bench.folder(plan).toString()).log())))
        .isEqualTo("to stdout\nto stderr\n");
  }

  @Test
  void aSignalThatKilledTheJobIsNamed() throws IOException {
    ExtractionPlan plan = bench.plan("kill -SEGV $$\n");

    bench.launch(plan);

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Killed("SEGV", 139, List.of()));
  }

  @Test
  void anInterpreterThatIsNotThereEndsTheRunAndSaysSo() throws IOException {
    ExtractionPlan plan = bench.plan("");
    ExtractionPlan broken = Replaced.python(plan, "/no/such/python3");

    bench.launch(broken);

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(127, List.of()));
    assertThat(RunBench.awaitText(bench.home().resolve("extract.log")))
        .contains("/no/such/python3");
  }

  @Test
  void theWrapperPassesSignalsOnAndReportsWhatTheJobMakesOfThem() throws IOException {
    for (String signal : List.of("TERM", "INT")) {
      ExtractionPlan plan =
          bench.plan(
              "trap 'echo caught; exit 5' "
                  + signal
                  + "\necho ready\nwhile :; do sleep 0.05; done\n");
      Launched launched = bench.launch(plan);
      Path log = bench.folder(plan).resolve("log");
      RunBench.awaitText(log);

      RunBench.signal(signal, launched.pid());

      assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(5, List.of()));
      assertThat(log).content().startsWith("ready\n").endsWith("caught\n");
    }
  }

  @Test
  void aSignalThatTheJobSurvivesDoesNotEndTheRun() throws IOException {
    ExtractionPlan plan =
        bench.plan(
            "trap 'echo caught >\"$1\"' TERM\necho ready\n"
                + "until [ -e \"$2\" ]; do sleep 0.05; done\nexit 6\n",
            bench.home().resolve("caught").toString(),
            bench.home().resolve("go").toString());
    Launched launched = bench.launch(plan);
    RunBench.awaitText(bench.folder(plan).resolve("log"));

    RunBench.signal("HUP", launched.pid());
    RunBench.signal("TERM", launched.pid());

    RunBench.awaitText(bench.home().resolve("caught"));
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
    Files.createFile(bench.home().resolve("go"));
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(6, List.of()));
  }

  @Test
  void theExitIsARenameSinceAFullDiskStillTakesThat() throws IOException {
    ExtractionPlan plan =
        bench.plan("until [ -e \"$1\" ]; do sleep 0.05; done\n", bench.home() + "/go");
    bench.launch(plan);
    Object pending = Files.getAttribute(bench.folder(plan).resolve("exit.pending"), "unix:ino");

    Files.createFile(bench.home().resolve("go"));
    bench.ended(plan);

    assertThat(Files.getAttribute(bench.folder(plan).resolve("exit.0"), "unix:ino"))
        .isEqualTo(pending);
  }

  @Test
  void aRunIsReadableByItsOwnerAloneAndTheFilesOfItsJobAreAsTheUserWants() throws IOException {
    ExtractionPlan plan = bench.plan("umask\necho >\"$1\"; sleep 30\n", bench.home() + "/made");

    bench.launch(plan);

    RunBench.awaitText(bench.home().resolve("made"));
    assertThat(mode(bench.folder(plan))).isEqualTo("rwx------");
    assertThat(mode(bench.home().resolve(".eagle3"))).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(bench.folder(plan))) {
      assertThat(files)
          .extracting(file -> file.getFileName() + " " + mode(file))
          .containsExactlyInAnyOrder(
              "alive rw-------",
              "end.pending rw-------",
              "exit.pending rw-------",
              "guard.jsonl rw-------",
              "guard.py rw-------",
              "job.sh rw-------",
              "lock rw-------",
              "log rw-------",
              "pid rw-------",
              "plan.json rw-------",
              "stop.sh rw-------");
    }
    assertThat(bench.folder(plan).resolve("log")).content().contains("022");
  }

  @Test
  void aPlanIsReadBackFromTheRun() throws IOException {
    ExtractionPlan plan = bench.plan("exit 0\n", "--layer-ids", "2");

    Launched launched = bench.launch(plan);

    assertThat(PlanReader.read(bench.host().files(), launched.folder())).isEqualTo(plan);
  }

  @Test
  void oneIdIsLaunchedOnce() throws IOException {
    ExtractionPlan plan = bench.plan("sleep 30\n");
    Launched launched = bench.launch(plan);

    ExtractionPlan other = Replaced.outputDir(plan, bench.home() + "/other");
    assertRefused(() -> Launcher.launch(bench.scripts(), other), "is not locked for run");
    assertRefused(() -> OutputLocker.lock(bench.scripts(), plan), "there is a run");
    assertThat(bench.state(plan)).isEqualTo(new RunState.Running(launched.pid()));
  }

  @Test
  @Hostile("a launch is asked again after a lost connection")
  void aLaunchThatIsAskedAgainSaysWhatBecameOfIt() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 60\n");
    Launched launched = bench.launch(plan);
    RunBench.awaitText(bench.folder(plan).resolve("log"));

    Launched again = Launcher.launch(bench.scripts(), plan);

    assertThat(again.pid()).isEqualTo(launched.pid());
    assertThat(again.notes()).containsExactly("run " + plan.run() + " had been launched already");
    assertThat(bench.state(plan)).isEqualTo(new RunState.Running(launched.pid()));
    assertThat(bench.folder(plan).resolve("log")).content().hasLineCount(1);
    assertThat(bench.home().resolve("extract.log")).isSymbolicLink();
  }

  @Test
  @Hostile("a launch is asked again when its run is over")
  void aRunThatIsOverIsNotLaunchedAgain() throws IOException {
    ExtractionPlan plan = bench.plan("echo once\nexit 3\n");
    Launched launched = bench.launch(plan);
    bench.ended(plan);

    assertThat(Launcher.launch(bench.scripts(), plan).pid()).isEqualTo(launched.pid());
    assertThat(bench.state(plan)).isEqualTo(new RunState.Finished(3, List.of()));
    assertThat(bench.folder(plan).resolve("log")).hasContent("once\n");
  }

  @Test
  @Tag("slow")
  @Hostile("a launch ended in the middle and is asked again")
  void aLaunchThatEndedInTheMiddleIsGivenUpForGood() throws IOException {
    tool("sleep", "exec /bin/sleep 0.001");
    // What stops the first launch right before its job: a setsid that is killed with its shell.
    tool("setsid", "exit 0");
    ExtractionPlan plan = bench.plan("echo ran >\"$1\"\n", bench.home() + "/ran");
    OutputLocker.lock(bench.scripts(), plan);
    assertThatThrownBy(() -> Launcher.launch(bench.scripts(), plan)).isInstanceOf(Failure.class);
    Path none = bench.folder(plan).resolve("exit.none");
    Files.move(none, bench.folder(plan).resolve("exit.pending"));
    assertThat(bench.state(plan)).isEqualTo(new RunState.Launching());

    assertThatThrownBy(() -> Launcher.launch(bench.scripts(), plan))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.RUN_FAILED);
              assertThat(failure.problem()).contains("ended in the middle, and was given up");
            });

    assertThat(bench.state(plan)).isEqualTo(new RunState.Lost("it was never started"));
    // What the first launch may still start late does not run the job.
    new ProcessBuilder("setsid", "sh", bench.folder(plan).resolve("job.sh").toString())
        .start()
        .onExit()
        .join();
    assertThat(bench.home().resolve("ran")).doesNotExist();
    assertThat(bench.state(plan)).isEqualTo(new RunState.Lost("it was never started"));
  }

  @Test
  @Hostile("one run is launched by two at the same time")
  void twoThatLaunchTheSameRunLaunchItOnce() throws Exception {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 60\n");
    OutputLocker.lock(bench.scripts(), plan);
    List<Long> pids = new ArrayList<>();
    Runnable launch =
        () -> {
          try {
            long pid = Launcher.launch(bench.scripts(), plan).pid();
            synchronized (pids) {
              pids.add(pid);
            }
          } catch (Failure refused) {
            assertThat(refused.exit()).isEqualTo(Exit.REFUSED);
          }
        };
    Thread other = new Thread(launch);
    other.start();
    launch.run();
    other.join();

    assertThat(pids).isNotEmpty();
    assertThat(bench.state(plan)).isEqualTo(new RunState.Running(pids.get(0)));
    assertThat(pids).containsOnly(pids.get(0));
    RunBench.awaitText(bench.folder(plan).resolve("log"));
    assertThat(bench.folder(plan).resolve("log")).content().hasLineCount(1);
    RunStopper.stop(
        bench.scripts(),
        new RunFolder(bench.folder(plan).toString()),
        java.time.Duration.ofMinutes(1));
  }

  @Test
  @Hostile("sleep takes whole seconds only, and the wrapper does not come up")
  void aLaunchIsGivenUpWithinItsTimeAlsoWithoutShortSleeps() throws IOException {
    Path naps = bench.home().resolve("naps");
    tool("sleep", "case $1 in *.*) exit 1 ;; esac; echo >>'" + naps + "'; exec /bin/sleep 0.001");
    tool("nohup", "exec /bin/sleep 600");
    ExtractionPlan plan = bench.plan("exit 0\n");
    OutputLocker.lock(bench.scripts(), plan);

    assertThatThrownBy(() -> Launcher.launch(bench.scripts(), plan))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.problem()).contains("did not start within some seconds"));

    assertThat(Files.readAllLines(naps)).hasSizeLessThan(20);
    assertThat(bench.state(plan)).isEqualTo(new RunState.Lost("it was never started"));
    OutputLocker.unlock(bench.scripts(), plan);
  }

  @Test
  void aFolderOfThatRunThatIsThereAlreadyIsLeftAlone() throws IOException {
    ExtractionPlan plan = bench.plan("sleep 30\n");
    OutputLocker.lock(bench.scripts(), plan);
    Files.createDirectories(bench.folder(plan));
    Files.writeString(bench.folder(plan).resolve("log"), "theirs");

    assertRefused(() -> Launcher.launch(bench.scripts(), plan), "there is a run");
    assertThat(bench.folder(plan).resolve("log")).hasContent("theirs");
  }

  @Test
  void aLockThatWasTakenOverMeanwhileRefusesTheLaunch() throws IOException {
    ExtractionPlan plan = bench.plan("sleep 30\n");
    Path lock = Path.of(OutputLocker.lock(bench.scripts(), plan));
    Files.move(lock.resolve(plan.run().text()), lock.resolve("20261129-171500-ffff"));

    assertRefused(() -> Launcher.launch(bench.scripts(), plan), "another run took it over");
    assertThat(bench.folder(plan)).doesNotExist();
  }

  @Test
  void aFullDiskRefusesTheLaunchAndLeavesNothingBehind() throws IOException {
    ExtractionPlan plan = bench.plan("exit 0\n");
    OutputLocker.lock(bench.scripts(), plan);
    // A limit on the size of files fails a write just as a full disk does: in the middle.
    Host full = new Prefixed(bench.host(), "trap '' XFSZ; ulimit -f 2; ");

    assertRefused(() -> Launcher.launch(new HostScripts(full), plan), "the disk is full");
    assertThat(bench.folder(plan)).doesNotExist();
    Launched launched = Launcher.launch(bench.scripts(), plan);
    assertThat(launched.folder().path()).isEqualTo(bench.folder(plan).toString());
    assertThat(bench.ended(plan).code()).isZero();
  }

  @Test
  void aWrapperThatDoesNotComeUpIsAFailureWithItsLastWord() throws IOException {
    tool("nohup", "echo 'nohup: cannot go on' >&2; exit 3");
    ExtractionPlan plan = bench.plan("exit 0\n");
    OutputLocker.lock(bench.scripts(), plan);

    assertThatThrownBy(() -> Launcher.launch(bench.scripts(), plan))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.RUN_FAILED);
              assertThat(failure.problem()).contains("nohup: cannot go on");
            });
    assertThat(bench.state(plan)).isEqualTo(new RunState.Lost("it was never started"));
    OutputLocker.unlock(bench.scripts(), plan);
    assertThat(bench.home().resolve("hidden states.eagle3-lock")).doesNotExist();
  }

  @Test
  void aPlainFileAtTheLogPathIsMovedAsideAndNeverOverwritten() throws IOException {
    Path log = Files.writeString(bench.home().resolve("extract.log"), "of yesterday");
    ExtractionPlan plan = bench.plan("echo new\n");
    Path aside = bench.home().resolve("extract.log.before-" + plan.run());
    Files.writeString(aside, "there already");

    Launched launched = bench.launch(plan);

    bench.ended(plan);
    assertThat(log).isSymbolicLink().hasContent("new\n");
    assertThat(aside).hasContent("there already");
    assertThat(Path.of(aside + ".1")).hasContent("of yesterday");
    assertThat(launched.notes()).anySatisfy(note -> assertThat(note).contains(aside + ".1"));
  }

  @Test
  void theLinkOfAnEarlierRunIsReplacedAndItsLogStays() throws IOException {
    ExtractionPlan first = bench.plan("echo one\n");
    bench.launch(first);
    bench.ended(first);
    ExtractionPlan second = bench.plan("echo two\n");

    Launched launched = bench.launch(second);

    bench.ended(second);
    assertThat(bench.home().resolve("extract.log")).hasContent("two\n");
    assertThat(bench.folder(first).resolve("log")).hasContent("one\n");
    assertThat(launched.notes()).isEmpty();
  }

  @Test
  void aLinkOfTheUsersOwnIsMovedAsideAndItsTargetUntouched() throws IOException {
    Path target = Files.writeString(bench.home().resolve("elsewhere.log"), "theirs");
    Path log = Files.createSymbolicLink(bench.home().resolve("extract.log"), target);
    ExtractionPlan plan = bench.plan("echo new\n");

    bench.launch(plan);

    bench.ended(plan);
    assertThat(target).hasContent("theirs");
    assertThat(log).hasContent("new\n");
    assertThat(Files.readSymbolicLink(bench.home().resolve("extract.log.before-" + plan.run())))
        .isEqualTo(target);
  }

  @Test
  void aLogPathThatCannotBeALinkIsNoReasonNotToRun() throws IOException {
    Files.createDirectory(bench.home().resolve("extract.log"));
    ExtractionPlan folder = bench.plan("echo new\n");
    ExtractionPlan missing = Replaced.logFile(bench.plan("echo new\n"), bench.home() + "/no/x.log");

    assertThat(bench.launch(folder).notes()).singleElement().asString().contains("is a folder");
    bench.ended(folder);
    assertThat(bench.launch(missing).notes())
        .singleElement()
        .asString()
        .contains("there is no folder");
    bench.ended(missing);
    assertThat(bench.folder(missing).resolve("log")).hasContent("new\n");
  }

  @Test
  void whereNoLinkCanBeMadeTheLogIsAPlainFileThatALaterRunMovesAside() throws IOException {
    // A stand-in for ln on a file system without links: it refuses the folder "plain".
    Path plain = Files.createDirectories(bench.home().resolve("plain"));
    tool("ln", "case $4 in */plain/*) exit 1 ;; esac; exec /bin/ln \"$@\"");
    ExtractionPlan first = Replaced.logFile(bench.plan("echo one\n"), plain + "/x.log");
    ExtractionPlan second = Replaced.logFile(bench.plan("echo two\n"), plain + "/x.log");

    bench.launch(first);
    bench.ended(first);
    assertThat(plain.resolve("x.log")).isRegularFile().hasContent("one\n");
    assertThat(Files.isSymbolicLink(plain.resolve("x.log"))).isFalse();
    assertThat(bench.status(first).logBytes()).isEqualTo(4);

    bench.launch(second);
    bench.ended(second);
    assertThat(plain.resolve("x.log")).hasContent("two\n");
    assertThat(bench.folder(first).resolve("log")).hasContent("one\n");
    assertThat(bench.folder(second).resolve("log")).hasContent("two\n");
  }

  /** Puts a stand-in for a program first on the host's PATH. */
  private void tool(String name, String text) throws IOException {
    Path tools = Files.createDirectories(bench.home().resolve("tools"));
    Path tool = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    bench.close();
    bench = new RunBench(folder, Map.of("PATH", tools + ":" + System.getenv("PATH")));
  }

  private static void assertRefused(Runnable step, String why) {
    assertThatThrownBy(step::run)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
              assertThat(failure.problem()).contains(why);
            });
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(
          Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    } catch (IOException gone) {
      throw new AssertionError(gone);
    }
  }

  /** A host whose shells start with this. */
  private record Prefixed(Host host, String prefix) implements Host {
    @Override
    public String name() {
      return host.name();
    }

    @Override
    public CommandResult run(Command command) {
      return host.run(
          new Command(
              prefix + command.line(), command.stdin(), command.timeout(), command.mostOutput()));
    }

    @Override
    public RunningCommand start(Command command) {
      throw new UnsupportedOperationException();
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
