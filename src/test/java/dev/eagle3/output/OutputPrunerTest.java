package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.RunId;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInMachine;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deleting what was set aside: only that, and never what has only its name. */
@Tag("slow")
class OutputPrunerTest {
  private static final String OUT = "/data/out";
  private static final String ASIDE = OUT + ".before-" + OutputPlans.RUN;
  private static final String RUNS = "/root/.eagle3/runs/";

  @TempDir Path folder;
  private StandInMachine machine;
  private Host host;

  @BeforeEach
  void startTheMachine() throws IOException {
    machine = StandInMachine.start(Files.createDirectory(folder.resolve("root")));
    machine.write(OUT + "/data_0.pt", OUT + "/rows_0/data_1.ckpt", "/data/precious/a.pt");
    host = machine.host();
  }

  @AfterEach
  void endTheMachine() {
    host.close();
    machine.close();
  }

  @ParameterizedTest
  @MethodSource("shells")
  void whatWasSetAsideIsDeletedAndNothingElse(String shell) throws IOException {
    setAside(OUT);
    machine.write(OUT + "/data_0.pt");
    machine.run(
        "ln -s /data/precious " + ASIDE + "/link; ln -s /data/precious/a.pt " + ASIDE + "/-rf");

    try (Host other = machine.hostWithShell(shell)) {
      Pruned pruned = prune(other, ASIDE);

      assertThat(pruned.left()).isEmpty();
      assertThat(pruned.freeBytes()).isPresent();
    }
    assertThat(machine.run("cd /data && ls -d *")).isEqualTo("out\nprecious\n");
    assertThat(machine.at("/data/precious/a.pt")).exists();
    assertThat(machine.at(OUT + "/data_0.pt")).exists();
  }

  static Stream<String> shells() {
    return Stream.of("dash", "bash", "busybox").filter(Tools::has);
  }

  @Test
  @Hostile("the connection is lost, and the removal is asked for again")
  void askedAgainItSaysThatItIsGone() throws IOException {
    setAside(OUT);
    prune(host, ASIDE);
    machine.run("mkdir " + ASIDE + " && touch " + ASIDE + "/by-somebody-else");

    assertThat(refused(ASIDE)).contains("another folder than the one that was noted");

    machine.run("mv " + ASIDE + " /data/away");
    assertThat(prune(host, ASIDE).left()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/data/precious",
        OUT,
        "/",
        "",
        "/data/out.before-*",
        "/data",
        OUT + ".before-20261129-171500-0a1b/",
        "/root",
        "/data/precious.before-20261129-171500-0a1b"
      })
  @Hostile("a folder that nobody noted is to be deleted")
  void whatIsNotNotedIsRefused(String path) throws IOException {
    setAside(OUT);
    machine.run("mkdir /data/precious.before-" + OutputPlans.RUN);

    assertThat(refused(path)).contains("it is not noted for run");
  }

  @Test
  @Hostile("the note was written over and names somebody's folder")
  void aNoteThatNamesAnotherFolderIsRefused() throws IOException {
    setAside(OUT);
    String identity = machine.run("stat -c %d:%i /data/precious").strip();
    machine.run(
        "printf 'aside\\t/data/precious\\t"
            + identity
            + "\\trenamed\\t1\\t1\\t1\\n' >>"
            + RUNS
            + OutputPlans.RUN
            + ".aside");

    assertThat(refused("/data/precious")).contains("no folder which eagle3 made");
  }

  @Test
  @Hostile("another folder has the name of what was set aside")
  void anotherFolderOfTheSameNameIsRefused() throws IOException {
    setAside(OUT);
    machine.run("mv " + ASIDE + " /data/kept && mv /data/precious " + ASIDE);

    assertThat(refused(ASIDE)).contains("another folder than the one that was noted");
  }

  @Test
  @Hostile("a link stands where the set-aside folder was")
  void aLinkIsNotFollowed() throws IOException {
    setAside(OUT);
    machine.run("mv " + ASIDE + " /data/kept && ln -s /data/precious " + ASIDE);
    assertThat(refused(ASIDE)).contains("it is a link");

    machine.run("rm " + ASIDE + " && ln -s /data/kept " + ASIDE);
    assertThat(refused(ASIDE)).contains("it is a link");
  }

  @Test
  @Hostile("the parent of the set-aside folder became a link")
  void aLinkOnTheWayIsRefused() throws IOException {
    machine.write("/data/deep/out/data_0.pt");
    OutputSetter.setAside(
        new HostScripts(host), OutputPlans.to("/data/deep/out"), Optional.empty());
    machine.run("mv /data/deep /data/far && ln -s /data/far /data/deep");

    assertThat(refused("/data/deep/out.before-" + OutputPlans.RUN)).contains("a link leads to it");
  }

  @Test
  @Hostile("a bind mount of precious files stands in the set-aside folder")
  void aBindMountOfTheSameFileSystemIsSeen() throws IOException {
    setAside(OUT);
    machine.run("mkdir '" + ASIDE + "/a b' && mount --bind /data/precious '" + ASIDE + "/a b'");

    assertThat(refused(ASIDE)).contains("something is mounted in it");
  }

  @Test
  @Hostile("the state folder was moved into what is to be deleted")
  void theStateIsNeverDeleted() throws IOException {
    setAside(OUT);
    machine.run("mv /root/.eagle3 " + ASIDE + "/state");

    Failure failure =
        catchThrowableOfType(
            Failure.class,
            () ->
                OutputPruner.prune(
                    new HostScripts(host), Optional.of(ASIDE + "/state"), OutputPlans.RUN, ASIDE));

    assertThat(failure.problem()).contains("it holds " + ASIDE + "/state");
    assertThat(machine.at(ASIDE + "/data_0.pt")).exists();
  }

  @Test
  @Hostile("somebody replaces the folder right before it is deleted")
  void aFolderThatIsReplacedMeanwhileIsPutBack() throws IOException {
    setAside(OUT);
    String swap = "mv " + ASIDE + " /data/kept && mv /data/precious " + ASIDE;
    try (Host swapped = machine.hostOnWhich(swap, "mv")) {
      Failure failure = catchThrowableOfType(Failure.class, () -> prune(swapped, ASIDE));

      assertThat(failure.problem()).contains("something else was put in its place");
    }
    assertThat(machine.at(ASIDE + "/a.pt")).exists();
    assertThat(machine.at("/data/kept/data_0.pt")).exists();
  }

  @Test
  @Hostile("a part of the folder may not be deleted by this user")
  void whatStaysIsToldAndTheRestIsDeletedLater() throws IOException {
    setAside(OUT);
    machine.run("chmod 0555 " + ASIDE + "/rows_0");
    try (Host powerless = machine.powerlessHost()) {
      Pruned pruned = prune(powerless, ASIDE);

      assertThat(pruned.left().orElseThrow()).contains("Permission denied");
      assertThat(pruned.path()).isEqualTo(ASIDE + ".removing");
    }

    assertThat(
            catchThrowableOfType(
                    Failure.class,
                    () -> OutputRestorer.restore(new HostScripts(host), OutputPlans.to(OUT), false))
                .problem())
        .contains("nothing is set aside: there is no " + ASIDE + " any more");
    assertThat(prune(host, ASIDE).left()).isEmpty();
    assertThat(machine.run("cd /data && ls -d *")).isEqualTo("out\nprecious\n");
  }

  @Test
  @Hostile("the removal is killed between any two steps")
  void aRemovalThatIsKilledAnywhereCanBeDoneAgain() throws IOException {
    int step = 0;
    boolean died = true;
    while (died) {
      step++;
      machine.run("rm -rf " + RUNS + "* " + OUT + "*");
      machine.write(OUT + "/data_0.pt");
      setAside(OUT);

      try (Host dying = machine.hostThatDiesAt(step)) {
        died = catchThrowableOfType(Failure.class, () -> prune(dying, ASIDE)) != null;
      }

      assertThat(prune(host, ASIDE).left()).isEmpty();
      assertThat(machine.run("cd /data && ls -d *")).isEqualTo("out\nprecious\n");
    }
    assertThat(step).isGreaterThan(2);
  }

  @Test
  void whatWasUndoneAndFoldersInsideAreDeletedToo() throws IOException {
    machine.run("echo 1 >/mnt/volume/data_0.pt");
    String volume = "/mnt/volume";
    OutputSetter.setAside(new HostScripts(host), OutputPlans.to(volume), Optional.empty());
    machine.run("echo 2 >/mnt/volume/data_0.pt");
    OutputRestorer.restore(new HostScripts(host), OutputPlans.to(volume), false);

    prune(host, volume + "/.undone-" + OutputPlans.RUN);

    assertThat(machine.run("ls -A /mnt/volume; cat /mnt/volume/data_0.pt"))
        .isEqualTo("data_0.pt\n1\n");
  }

  @Test
  @Hostile("the folder of a run is to be deleted while it lives, or something waits to be put back")
  void aRunFolderIsDeletedOnlyWhenNothingDependsOnIt() throws IOException {
    String run = RUNS + OutputPlans.RUN;
    setAside(OUT);
    machine.run("mkdir " + run + " && echo log >" + run + "/log");
    assertThat(runRefused()).contains("something is set aside for it: " + ASIDE);

    prune(host, ASIDE);
    machine.run(
        "read -r stat </proc/1/stat; set -- ${stat##*) }; shift 19; printf '1\\t%s\\tboot\\tnode\\tns\\n' \"$1\" >"
            + run
            + "/pid");
    assertThat(runRefused()).contains("lives: pid 1");

    machine.run("rm " + run + "/pid && mv " + run + " /data/kept && ln -s /data/kept " + run);
    assertThat(runRefused()).contains("it is a link");

    machine.run("rm " + run + " && mv /data/kept " + run);
    assertThat(pruneRun().left()).isEmpty();
    assertThat(machine.run("ls -A " + RUNS)).isEqualTo(OutputPlans.RUN + ".aside\n");
  }

  @Test
  @Hostile("the wrapper of a run is over, and nobody asked how it ended")
  void aWrapperThatIsOverAndStaysInTheListKeepsNothing() throws IOException {
    String run = RUNS + OutputPlans.RUN;
    machine.run("mkdir -p " + run + " && echo log >" + run + "/log");
    // It ends once its parent is a program that asks nobody.
    machine.run(
        "sh -c 'sh -c \"until read -r name </proc/\\$PPID/comm && [ \\$name = sleep ]; do :; done\" &"
            + " echo $! >/data/zombie; exec sleep 600' </dev/null >/dev/null 2>&1 &");
    Await.until(() -> machine.run("cat /proc/$(cat /data/zombie)/stat").contains(") Z "));
    machine.run(
        "read -r pid </data/zombie; read -r stat </proc/$pid/stat; set -- ${stat##*) }; shift 19;"
            + " printf '%s\\t%s\\tboot\\tnode\\tns\\n' \"$pid\" \"$1\" >"
            + run
            + "/pid");

    assertThat(pruneRun().left()).isEmpty();
  }

  private Pruned pruneRun() {
    return OutputPruner.pruneRun(new HostScripts(host), Optional.empty(), OutputPlans.RUN);
  }

  private String runRefused() throws IOException {
    Map<String, String> before = machine.snapshot();
    Failure failure = catchThrowableOfType(Failure.class, this::pruneRun);
    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(machine.snapshot()).isEqualTo(before);
    return failure.problem();
  }

  private void setAside(String out) {
    OutputSetter.setAside(new HostScripts(host), OutputPlans.to(out), Optional.empty());
  }

  private String refused(String path) throws IOException {
    Map<String, String> before = machine.snapshot();
    Failure failure = catchThrowableOfType(Failure.class, () -> prune(host, path));
    assertThat(failure).as("deleting %s", path).isNotNull();
    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(machine.snapshot()).isEqualTo(before);
    return failure.problem();
  }

  private static Pruned prune(Host on, String path) {
    RunId run = OutputPlans.RUN;
    return OutputPruner.prune(new HostScripts(on), Optional.empty(), run, path);
  }
}
