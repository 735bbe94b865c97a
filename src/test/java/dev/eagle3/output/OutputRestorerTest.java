package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Undo, and what is left when either script is killed between any two of its steps. */
@Tag("slow")
class OutputRestorerTest {
  private static final String OUT = "/data/out";
  private static final String VOLUME = "/mnt/volume";
  private static final String BEFORE = ".before-" + OutputPlans.RUN;
  private static final String UNDONE = ".undone-" + OutputPlans.RUN;

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
  @ValueSource(strings = {OUT, VOLUME, "/data/link"})
  void whatWasSetAsideComesBack(String out) throws IOException {
    machine.run("ln -s /data/real /data/link; mkdir -p /data/real");
    fill(out);
    String before = listing(out);
    setAside(host, out);

    Restored back = restore(host, out);

    assertThat(listing(out)).isEqualTo(before);
    assertThat(back.undone()).isEmpty();
    assertThat(back.from()).contains(BEFORE);
    assertThat(machine.run("ls -A /data /mnt/volume")).doesNotContain(BEFORE);
  }

  @ParameterizedTest
  @ValueSource(strings = {OUT, VOLUME})
  void whatTheRunWroteIsKept(String out) throws IOException {
    fill(out);
    String before = listing(out);
    setAside(host, out);
    machine.run("echo new >" + out + "/data_0.pt");

    Restored back = restore(host, out);

    String undone = back.undone().orElseThrow();
    assertThat(undone).isEqualTo(out.equals(OUT) ? OUT + UNDONE : VOLUME + "/" + UNDONE);
    assertThat(machine.run("cat " + undone + "/data_0.pt")).isEqualTo("new\n");
    assertThat(listing(out)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {OUT, VOLUME})
  void aSecondUndoSaysThatItIsDone(String out) throws IOException {
    fill(out);
    setAside(host, out);
    restore(host, out);

    refused(out, false, "was undone before: previous output is in " + out + " again");
  }

  @Test
  void aLiveRunIsNotUndone() throws IOException {
    fill(OUT);
    setAside(host, OUT);

    refused(OUT, true, "lives");
  }

  @Test
  void anotherRunsOutputIsNotTouched() throws IOException {
    fill(OUT);
    setAside(host, OUT);
    Map<String, String> before = machine.snapshot();
    ExtractionPlan other =
        OutputPlans.to(OUT, "/data/needed/model", new RunId("20261129-171500-ffff"));

    Failure failure =
        catchThrowableOfType(
            Failure.class, () -> OutputRestorer.restore(new HostScripts(host), other, false));

    assertThat(failure.problem()).contains("nothing is set aside");
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {OUT, VOLUME})
  void aFolderThatAnotherRunUsesIsLeftAlone(String out) throws IOException {
    fill(out);
    setAside(host, out);
    String lock = out.equals(OUT) ? OUT + ".eagle3-lock" : VOLUME + "/.eagle3-lock";
    machine.run("mkdir " + lock + " && echo x >" + lock + "/20261129-180000-beef");
    machine.run("echo new >" + out + "/data_0.pt");

    refused(out, false, "run 20261129-180000-beef uses it");
  }

  @Test
  void noLockIsLeftBehind() throws IOException {
    fill(OUT);
    setAside(host, OUT);
    String lock = OUT + ".eagle3-lock";
    machine.run("mkdir " + lock + " && echo x >" + lock + "/" + OutputPlans.RUN);

    restore(host, OUT);

    assertThat(machine.run("ls -A /data")).isEqualTo("out\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {OUT, VOLUME})
  void whatWasSetAsideForARunThatWasNeverLaunchedComesBack(String out) throws IOException {
    fill(out);
    String before = listing(out);
    String lock = out.equals(OUT) ? OUT + ".eagle3-lock" : VOLUME + "/.eagle3-lock";
    String note = "/root/.eagle3/runs/" + OutputPlans.RUN + ".lock";
    machine.run(
        "mkdir -p " + lock + " /root/.eagle3/runs && echo x >" + lock + "/" + OutputPlans.RUN);
    machine.run("echo " + lock + " >" + note);
    setAside(host, out);

    Restored back = restoreUnlaunched();

    assertThat(back.folder()).isEqualTo(out);
    assertThat(listing(out)).isEqualTo(before);
    assertThat(machine.run("ls -d " + lock + " " + note + " 2>/dev/null")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Hostile("eagle3 ended between its lock and its launch, with nothing set aside")
  void theLockOfARunThatWasNeverLaunchedIsGivenBackAlsoWhereNothingWasSetAside(boolean noted)
      throws IOException {
    String lock = OUT + ".eagle3-lock";
    String note = "/root/.eagle3/runs/" + OutputPlans.RUN + ".lock";
    machine.run(
        "mkdir -p " + lock + " /root/.eagle3/runs && echo x >" + lock + "/" + OutputPlans.RUN);
    machine.run("echo " + lock + " >" + note);
    if (noted) {
      machine.run("mkdir -p " + OUT);
      setAside(host, OUT);
    }

    Restored back = restoreUnlaunched();

    assertThat(back.says()).contains("had set nothing aside; its lock on " + OUT);
    assertThat(machine.run("ls -d " + lock + " " + note + " 2>/dev/null")).isEmpty();
    Failure again = catchThrowableOfType(Failure.class, this::restoreUnlaunched);
    assertThat(again.problem()).contains("nothing is set aside for it");
  }

  @ParameterizedTest
  @ValueSource(strings = {OUT, VOLUME})
  @Hostile("the connection drops after output was put back and before its answer arrives")
  void theSameQuestionGetsTheSameAnswerAgain(String out) throws IOException {
    fill(out);
    String before = listing(out);
    setAside(host, out);
    machine.run("echo new >" + out + "/data_0.pt");

    Restored back = restore(new AskingTwice(host), out);

    assertThat(back.undone()).isPresent();
    assertThat(listing(out)).isEqualTo(before);
    refused(out, false, "was undone before");
  }

  @Test
  @Hostile("the connection drops after a lock was given back and before its answer arrives")
  void theSameQuestionAboutALockGetsTheSameAnswerAgain() throws IOException {
    String note = "/root/.eagle3/runs/" + OutputPlans.RUN + ".lock";
    machine.run("mkdir -p /root/.eagle3/runs && echo " + OUT + ".eagle3-lock >" + note);

    Restored back =
        OutputRestorer.restoreUnlaunched(
            new HostScripts(new AskingTwice(host)),
            Optional.empty(),
            OutputPlans.RUN,
            LockJudge.STRICT);

    assertThat(back.from()).isEmpty();
  }

  /** The same question twice, as after an answer that was lost on the way. */
  private record AskingTwice(Host host) implements Host {
    @Override
    public CommandResult run(Command command) {
      String first = host.run(command).stdout();
      CommandResult second = host.run(command);
      assertThat(second.stdout()).isEqualTo(first);
      return second;
    }

    @Override
    public String name() {
      return host.name();
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

  @Test
  void aRunThatWasNeverPreparedHasNothingToPutBack() throws IOException {
    Failure failure = catchThrowableOfType(Failure.class, this::restoreUnlaunched);

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(failure.problem()).contains("no such run");
  }

  @Test
  void aTakenNameForWhatTheRunWroteIsRefused() throws IOException {
    fill(OUT);
    setAside(host, OUT);
    machine.run("touch " + OUT + "/data_0.pt " + OUT + UNDONE);

    refused(OUT, false, "the name is taken: " + OUT + UNDONE);
  }

  @Test
  void aFileInThePlaceOfTheFolderIsRefused() throws IOException {
    fill(OUT);
    setAside(host, OUT);
    machine.run("rmdir " + OUT + " && echo precious >" + OUT);

    refused(OUT, false, "no folder any more");
  }

  @Test
  void twoOutputsOfOneRunAreRefused() throws IOException {
    fill(OUT);
    setAside(host, OUT);
    machine.run("mkdir " + OUT + "/" + BEFORE);

    refused(OUT, false, "two were set aside");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|the path is empty",
        "data/out|the path is relative",
        "/data/../data/out|has .. in it",
        "/|the root folder",
        "/data/nothing|nothing is set aside",
        "/data/nowhere/deep|nothing is set aside"
      })
  void aPathThatDoesNotFitIsRefused(String path, String why) throws IOException {
    fill(OUT);
    setAside(host, OUT);

    refused(path, false, why);
  }

  @Test
  void aSetAsideThatIsKilledAnywhereLosesNothingAndCanBeDoneAgain() throws IOException {
    for (String out : List.of(OUT, VOLUME)) {
      int step = 0;
      boolean died = true;
      while (died) {
        step++;
        fill(out);
        List<String> contents = machine.contents();

        died = dies(step, dying -> setAside(dying, out));

        assertThat(machine.contents()).as("%s, killed at step %d", out, step).isEqualTo(contents);
        SetAside done = setAside(host, out);
        String aside = done.aside().orElseThrow();
        assertThat(machine.contents()).isEqualTo(contents);
        assertThat(listing(aside)).isEqualTo("0 data_0.pt\n1 data_1.pt\n2 data_2.pt\n");
        assertThat(listing(out)).as("%s, killed at step %d", out, step).isEmpty();
        assertThat(machine.run("stat -c %a " + out)).isEqualTo("2750\n");
        clear(out);
      }
      assertThat(step).as("steps of " + out).isGreaterThan(3);
    }
  }

  @Test
  void aSetAsideThatIsKilledAnywhereCanBeUndone() throws IOException {
    for (String out : List.of(OUT, VOLUME)) {
      int step = 0;
      boolean died = true;
      while (died) {
        step++;
        fill(out);
        String before = listing(out);

        died = dies(step, dying -> setAside(dying, out));
        Optional<String> refused = tryRestore(out);

        refused.ifPresent(why -> assertThat(why).contains("nothing is set aside"));
        assertThat(listing(out)).as("%s, killed at step %d", out, step).isEqualTo(before);
        assertThat(machine.run("ls -A " + out + " | wc -l").strip()).isEqualTo("3");
        clear(out);
      }
      assertThat(step).as("steps of " + out).isGreaterThan(3);
    }
  }

  @Test
  void anUndoThatIsKilledAnywhereLosesNothingAndCanBeDoneAgain() throws IOException {
    for (String out : List.of(OUT, VOLUME)) {
      for (boolean wrote : List.of(true, false)) {
        int step = 0;
        boolean died = true;
        while (died) {
          step++;
          fill(out);
          String before = listing(out);
          setAside(host, out);
          if (wrote) {
            machine.run("for n in 0 1 5; do echo new$n >" + out + "/data_$n.pt; done");
          }
          List<String> contents = outputs();

          died = dies(step, dying -> restore(dying, out));

          String when = out + ", wrote " + wrote + ", killed at step " + step;
          assertThat(outputs()).as(when).isEqualTo(contents);
          Optional<String> refused = tryRestore(out);
          refused.ifPresent(
              why -> assertThat(why).containsAnyOf("nothing is set aside", "was undone before"));
          assertThat(outputs()).as(when).isEqualTo(contents);
          assertThat(listing(out)).as(when).isEqualTo(before);
          clear(out);
        }
        assertThat(step).as("steps of " + out).isGreaterThan(2);
      }
    }
  }

  private interface Act {
    void on(Host host);
  }

  /** Whether the script was killed at that step; else it had fewer steps, and has done its work. */
  private boolean dies(int step, Act act) throws IOException {
    try (Host dying = machine.hostThatDiesAt(step)) {
      Failure failure = catchThrowableOfType(Failure.class, () -> act.on(dying));
      if (failure != null) {
        assertThat(failure.exit()).isEqualTo(Exit.LOST);
      }
      return failure != null;
    }
  }

  private void fill(String out) throws IOException {
    machine.run(
        "mkdir -p "
            + out
            + " && cd "
            + out
            + " && for n in 0 1 2; do echo $n data_$n.pt >data_$n.pt; done && chmod 2750 .");
    assertThat(listing(out)).hasLineCount(3);
  }

  private void clear(String out) throws IOException {
    machine.run(
        "cd / && rm -rf "
            + out
            + BEFORE
            + " "
            + out
            + UNDONE
            + " "
            + OUT
            + " /root/.eagle3/runs/*; find "
            + VOLUME
            + " -mindepth 1 -delete");
  }

  /** The contents of the sample files right in a folder. */
  private String listing(String out) throws IOException {
    return machine.run("cat " + out + "/*.pt 2>/dev/null");
  }

  /** What all files hold, without the lock that a killed script leaves. */
  private List<String> outputs() throws IOException {
    return machine.contents().stream()
        .filter(content -> !content.isEmpty() && !content.contains("/.eagle3/runs/"))
        .toList();
  }

  private SetAside setAside(Host on, String out) {
    return OutputSetter.setAside(new HostScripts(on), OutputPlans.to(out), Optional.empty());
  }

  private static Restored restore(Host on, String out) {
    return OutputRestorer.restore(new HostScripts(on), OutputPlans.to(out), false);
  }

  private Restored restoreUnlaunched() {
    return OutputRestorer.restoreUnlaunched(
        new HostScripts(host), Optional.empty(), OutputPlans.RUN, LockJudge.STRICT);
  }

  private Optional<String> tryRestore(String out) {
    return Optional.ofNullable(catchThrowableOfType(Failure.class, () -> restore(host, out)))
        .map(Failure::problem);
  }

  private void refused(String out, boolean lives, String why) throws IOException {
    Map<String, String> before = machine.snapshot();
    Failure failure =
        catchThrowableOfType(
            Failure.class,
            () -> OutputRestorer.restore(new HostScripts(host), OutputPlans.to(out), lives));
    assertThat(failure).isNotNull();
    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(failure.problem()).contains(why);
    assertThat(machine.snapshot()).isEqualTo(before);
  }
}
