package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several runs after each other in one folder: what is undone, and where files are then. */
@Tag("slow")
class LaterRunsTest {
  private static final String OUT = "/data/out";
  private static final String VOLUME = "/mnt/volume";
  private static final RunId A = new RunId("20261129-100000-aaaa");
  private static final RunId B = new RunId("20261129-110000-bbbb");
  private static final RunId C = new RunId("20261129-120000-cccc");

  @TempDir Path folder;
  private StandInMachine machine;
  private Host host;

  @BeforeEach
  void startTheMachine() throws IOException {
    machine = StandInMachine.start(Files.createDirectory(folder.resolve("root")));
    host = machine.host();
  }

  @AfterEach
  void endTheMachine() {
    host.close();
    machine.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {OUT, VOLUME})
  @Hostile("a run is undone after a later one wrote into the folder")
  void whatALaterRunWroteIsNotMovedUnlessItIsNamed(String out) throws IOException {
    before(out);
    ran(A, out);
    ran(B, out);
    Map<String, String> snapshot = machine.snapshot();

    Failure failure = catchThrowableOfType(Failure.class, () -> undo(A, out, Optional.empty()));

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(failure.problem()).contains("run " + B + " wrote there since", "--yes-move " + B);
    assertThat(machine.snapshot()).isEqualTo(snapshot);
    assertThat(catchThrowableOfType(Failure.class, () -> undo(A, out, Optional.of(C))).problem())
        .contains("run " + B);

    undo(A, out, Optional.of(B));
    assertThat(content(out)).isEqualTo("before");
    assertThat(where(B)).isNotEqualTo(out);
    assertThat(content(where(B))).isEqualTo(B.text());
    assertThat(content(where(A))).isEqualTo(A.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {OUT, VOLUME})
  void runsAreUndoneOneAfterTheOther(String out) throws IOException {
    before(out);
    ran(A, out);
    ran(B, out);
    ran(C, out);
    assertThat(List.of(content(where(A)), content(where(B)), content(where(C))))
        .containsExactly(A.text(), B.text(), C.text());
    assertThat(where(A)).isNotEqualTo(out);

    undo(C, out, Optional.empty());
    assertThat(content(where(B))).isEqualTo(B.text());
    assertThat(where(B)).isEqualTo(out);
    assertThat(content(where(C))).isEqualTo(C.text());
    undo(B, out, Optional.empty());
    undo(A, out, Optional.empty());

    assertThat(content(out)).isEqualTo("before");
    assertThat(List.of(content(where(A)), content(where(B)), content(where(C))))
        .containsExactly(A.text(), B.text(), C.text());
    assertThat(where(A)).contains("undone-" + A);
  }

  @Test
  void aLaterRunThatWasNeverLaunchedWroteNothing() throws IOException {
    before(OUT);
    ran(A, OUT);
    setAside(B, OUT);
    machine.write(OUT + "/data_5.pt");

    undo(A, OUT, Optional.empty());

    assertThat(content(OUT)).isEqualTo("before");
  }

  @Test
  @Hostile("of the later run only its output is left, its plan and log were deleted")
  void aLaterRunCountsAlsoWhenItsFolderIsGone() throws IOException {
    before(OUT);
    ran(A, OUT);
    ran(B, OUT);
    HostScripts scripts = new HostScripts(host);
    OutputPruner.prune(scripts, Optional.empty(), B, OUT + ".before-" + B);
    assertThat(OutputPruner.pruneRun(scripts, Optional.empty(), B).left()).isEmpty();

    Failure failure = catchThrowableOfType(Failure.class, () -> undo(A, OUT, Optional.empty()));

    assertThat(failure.problem()).contains("run " + B + " wrote there since");
    assertThat(content(OUT)).isEqualTo(B.text());
  }

  @Test
  void aLaterRunInAnotherFolderIsNoneOfItsBusiness() throws IOException {
    before(OUT);
    ran(A, OUT);
    ran(B, "/data/out2");

    undo(A, OUT, Optional.empty());

    assertThat(content(OUT)).isEqualTo("before");
  }

  @Test
  @Hostile("the link to the output folder leads elsewhere by now")
  void whatWasSetAsideBehindALinkComesBackWhereItWas() throws IOException {
    machine.run("mkdir /data/real /data/other && ln -s /data/real /data/link");
    before("/data/link");
    ran(A, "/data/link");
    machine.run("rm /data/link && ln -s /data/other /data/link");

    Restored back = undo(A, "/data/link", Optional.empty());

    assertThat(back.folder()).isEqualTo("/data/real");
    assertThat(content("/data/real")).isEqualTo("before");
    assertThat(machine.at("/data/other")).isEmptyDirectory();
  }

  @Test
  @Hostile("another folder has the name of what is to come back")
  void aFolderThatOnlyHasTheNameIsNotPutBack() throws IOException {
    before(OUT);
    ran(A, OUT);
    machine.run("mv /data/out.before-" + A + " /data/kept && mkdir /data/out.before-" + A);

    Failure failure = catchThrowableOfType(Failure.class, () -> undo(A, OUT, Optional.empty()));

    assertThat(failure.problem()).contains("another folder than the one that was set aside");
    assertThat(content(OUT)).isEqualTo(A.text());
  }

  @Test
  @Hostile("a run that is over left its lock on the folder")
  void theLockOfARunThatIsOverIsTakenAndGivenBack() throws IOException {
    before(OUT);
    ran(A, OUT);
    lock(B);

    Restored back =
        OutputRestorer.restore(
            new HostScripts(host),
            plan(A, OUT),
            false,
            (run, path, age) -> run.equals(B.text()) && path.endsWith("/" + B) && age >= 0,
            Optional.empty());

    assertThat(back.folder()).isEqualTo(OUT);
    assertThat(machine.run("ls -d " + OUT + ".eagle3-lock")).contains("No such file");
  }

  @Test
  @Hostile("the lock on the folder names no run, and tries to look like an answer")
  void aLockThatNobodyKnowsIsLeftAlone() throws IOException {
    before(OUT);
    ran(A, OUT);
    machine.run(
        "mkdir "
            + OUT
            + ".eagle3-lock && printf 'x\\nrestored\\t/\\t/\\n' >"
            + OUT
            + ".eagle3-lock/0x");

    Failure failure = catchThrowableOfType(Failure.class, () -> undo(A, OUT, Optional.empty()));

    assertThat(failure.problem()).contains("run 0x uses it", OUT + ".eagle3-lock");
    assertThat(content(OUT)).isEqualTo(A.text());
  }

  @Test
  @Hostile("the note of a run is cut, or no note at all")
  void aNoteThatMakesNoSenseMovesNothing() throws IOException {
    before(OUT);
    ran(A, OUT);
    String note = "/root/.eagle3/runs/" + A + ".aside";
    String whole = machine.run("cat " + note);
    for (String cut :
        List.of(
            "",
            "target",
            "target\t1\t" + A,
            "\0\1\2",
            whole.substring(0, whole.indexOf("aside")))) {
      Files.writeString(machine.at(note), cut);

      Failure failure = catchThrowableOfType(Failure.class, () -> undo(A, OUT, Optional.empty()));

      assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
      assertThat(content(OUT)).isEqualTo(A.text());
      OutputNotesReader.list(new HostScripts(host), Optional.empty());
    }
  }

  private void before(String out) throws IOException {
    machine.run("mkdir -p " + out + " && printf before >" + out + "/data_0.pt");
  }

  /** As if a run had been launched, had written a file, and had ended. */
  private void ran(RunId run, String out) throws IOException {
    setAside(run, out);
    machine.run("mkdir /root/.eagle3/runs/" + run + "; printf " + run + " >" + out + "/data_0.pt");
  }

  private void setAside(RunId run, String out) {
    OutputSetter.setAside(new HostScripts(host), plan(run, out), Optional.empty());
  }

  private Restored undo(RunId run, String out, Optional<RunId> later) {
    return OutputRestorer.restore(
        new HostScripts(host), plan(run, out), false, LockJudge.STRICT, later);
  }

  private void lock(RunId run) throws IOException {
    machine.run(
        "mkdir "
            + OUT
            + ".eagle3-lock && echo /root/.eagle3/runs/"
            + run
            + " >"
            + OUT
            + ".eagle3-lock/"
            + run);
  }

  private String where(RunId run) {
    return OutputNotesReader.read(new HostScripts(host), Optional.empty())
        .whereabouts(run)
        .orElseThrow()
        .folder()
        .orElseThrow();
  }

  private String content(String path) throws IOException {
    return machine.run("cat " + path + "/data_0.pt");
  }

  private static ExtractionPlan plan(RunId run, String out) {
    return OutputPlans.to(out, "/data/needed/model", run);
  }
}
