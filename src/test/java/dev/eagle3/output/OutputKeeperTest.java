package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are no good go out of a folder in which a run goes on, and come back. */
@Tag("slow")
class OutputKeeperTest {
  private static final String OUT = "/data/out";
  private static final String VOLUME = "/mnt/volume";
  private static final String QUARANTINE = OUT + ".quarantine-" + OutputPlans.RUN;

  @TempDir Path folder;
  private StandInMachine machine;
  private Host host;

  @BeforeEach
  void startTheMachine() throws IOException {
    machine = StandInMachine.start(Files.createDirectory(folder.resolve("root")));
    machine.write("/root/.eagle3/runs/notes");
    host = machine.host();
  }

  @AfterEach
  void endTheMachine() {
    host.close();
    machine.close();
  }

  @ParameterizedTest
  @MethodSource("shells")
  void badFilesAreMovedTheOthersStayAndAllComesBack(String shell) throws IOException {
    try (Host other = machine.hostWithShell(shell)) {
      for (String out : List.of(OUT, VOLUME)) {
        machine.run("rm -f /root/.eagle3/runs/*");
        fill(out);

        Kept kept = keep(other, out, Map.of("data_1.pt", "file.cut, it ends early"));

        String place = out.equals(OUT) ? QUARANTINE : VOLUME + "/.quarantine-" + OutputPlans.RUN;
        assertThat(kept.quarantine()).contains(place);
        assertThat(kept.files()).isEqualTo(1);
        assertThat(machine.run("ls " + out)).isEqualTo("data_0.pt\ndata_2.pt\n");
        assertThat(machine.run("cat " + place + "/.eagle3-manifest"))
            .isEqualTo("data_1.pt\tfile.cut, it ends early\n");

        Restored back = OutputRestorer.restore(new HostScripts(other), OutputPlans.to(out), false);

        assertThat(back.files()).hasValue(1);
        assertThat(machine.run("cat " + out + "/*.pt")).isEqualTo("0\n1\n2\n");
        assertThat(machine.run("ls -d " + place)).contains("No such file");
      }
    }
  }

  static Stream<String> shells() {
    return Stream.of("dash", "bash", "busybox").filter(Tools::has);
  }

  @Test
  void withoutABadFileNothingIsMoved() throws IOException {
    fill(OUT);
    Map<String, String> before = machine.snapshot();

    Kept kept = keep(host, OUT, Map.of());

    assertThat(kept.quarantine()).isEmpty();
    Map<String, String> after = machine.snapshot();
    assertThat(after.remove("/root/.eagle3/runs/" + OutputPlans.RUN + ".aside")).contains("kept");
    assertThat(after).isEqualTo(before);
  }

  @Test
  @Hostile("the run made a file anew that comes back from quarantine")
  void whatHasItsNameAgainStaysInQuarantine() throws IOException {
    fill(OUT);
    keep(host, OUT, Map.of("data_1.pt", "bad", "data_2.pt", "bad"));
    machine.run("echo new >" + OUT + "/data_1.pt");

    Restored back = OutputRestorer.restore(new HostScripts(host), OutputPlans.to(OUT), false);

    assertThat(back.files()).hasValue(1);
    assertThat(back.left()).isEqualTo(1);
    assertThat(back.says()).contains("1 file came back", "1 file of a name that is taken");
    assertThat(machine.run("cat " + OUT + "/data_1.pt " + QUARANTINE + "/data_1.pt"))
        .isEqualTo("new\n1\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "../precious.pt|no name of a file",
        "a/b.pt|no name of a file",
        "/data/precious.pt|no name of a file",
        "..|no name of a file",
        "''|no name of a file",
        "rows_0|that is a folder"
      })
  @Hostile("a name that is no name of a sample is to go to quarantine")
  void aNameThatLeadsElsewhereIsRefused(String name, String why) throws IOException {
    fill(OUT);
    machine.write("/data/precious.pt", OUT + "/rows_0/data_0.ckpt");

    assertThat(refused(OUT, Map.of(name, "bad"))).contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/|the root folder",
        "data/out|relative",
        "/data/../data/out|has .. in it",
        "/root|holds, the state",
        "/root/.eagle3/runs|lies in the state",
        "/data/file|not a folder"
      })
  void aFolderThatIsNoneIsRefused(String path, String why) throws IOException {
    fill(OUT);
    machine.run("touch /data/file");

    assertThat(refused(path, Map.of())).contains(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mkdir", "touch", "ln -s /nowhere"})
  @Hostile("the name of the quarantine is taken")
  void aTakenNameIsRefused(String make) throws IOException {
    fill(OUT);
    machine.run(make + " " + QUARANTINE);

    assertThat(refused(OUT, Map.of("data_1.pt", "bad"))).contains("the name is taken");
  }

  @Test
  @Hostile("bad files have names of every kind, and one is gone by then")
  void namesAreOnlyNames() throws IOException {
    Map<String, String> bad = new LinkedHashMap<>();
    for (String name :
        List.of("-rf.pt", "a b\n.pt", "*.pt", "$(touch pwned).pt", "\\n.pt", "tab\t.pt", "ä.pt")) {
      machine.write(OUT + "/" + name);
      bad.put(name, "bad\n\u001b[31m");
    }
    bad.put("gone.pt", "bad");
    machine.write(OUT + "/data_0.pt");

    Kept kept = keep(host, OUT, bad);

    assertThat(kept.files()).isEqualTo(7);
    assertThat(machine.run("ls " + OUT)).isEqualTo("data_0.pt\n");
    try (Stream<Path> there = Files.list(machine.at(QUARANTINE))) {
      assertThat(there.map(path -> path.getFileName().toString()))
          .contains("-rf.pt", "a b\n.pt", "*.pt", "\\n.pt");
    }
  }

  @Test
  void moreThanOneCallTakesAllOfThem() throws IOException {
    machine.run("mkdir " + OUT + " && cd " + OUT + " && seq -f data_%.0f.pt 1000 | xargs touch");
    Map<String, String> bad = new LinkedHashMap<>();
    for (int number = 1; number <= 900; number++) {
      bad.put("data_" + number + ".pt", "file.empty, it holds nothing");
    }

    assertThat(keep(host, OUT, bad).files()).isEqualTo(900);
    assertThat(machine.run("ls " + OUT + " | wc -l").strip()).isEqualTo("100");
  }

  @Test
  @Hostile("the step is killed between any two steps, and asked again")
  void aQuarantineThatIsKilledAnywhereLosesNothing() throws IOException {
    Map<String, String> bad = Map.of("data_1.pt", "bad", "data_2.pt", "bad");
    for (String out : List.of(OUT, VOLUME)) {
      int step = 0;
      boolean died = true;
      while (died) {
        step++;
        machine.run("rm -rf /root/.eagle3/runs/* " + OUT + "* /mnt/volume/* /mnt/volume/.q*");
        fill(out);

        try (Host dying = machine.hostThatDiesAt(step)) {
          died = catchThrowableOfType(Failure.class, () -> keep(dying, out, bad)) != null;
        }
        Kept kept = keep(host, out, bad);

        assertThat(kept.files()).as("killed at step %d", step).isEqualTo(2);
        assertThat(machine.run("cat " + kept.quarantine().orElseThrow() + "/*.pt"))
            .isEqualTo("1\n2\n");
        OutputRestorer.restore(new HostScripts(host), OutputPlans.to(out), false);
        assertThat(machine.run("cat " + out + "/*.pt")).isEqualTo("0\n1\n2\n");
      }
      assertThat(step).isGreaterThan(2);
    }
  }

  @Test
  @Hostile("another run took the lock over")
  void whoLostTheLockMovesNothing() throws IOException {
    fill(OUT);
    machine.run(
        "mkdir " + OUT + ".eagle3-lock && touch " + OUT + ".eagle3-lock/20261129-180000-beef");
    machine.run("echo " + OUT + ".eagle3-lock >/root/.eagle3/runs/" + OutputPlans.RUN + ".lock");

    assertThat(refused(OUT, Map.of("data_1.pt", "bad"))).contains("another run took it over");
  }

  @Test
  void aLaterRunThatGoesOnKeepsTheFilesOfTheEarlierOneThere() throws IOException {
    fill(OUT);
    keep(host, OUT, Map.of());
    RunId later = new RunId("20261129-180000-beef");
    OutputKeeper.keep(
        new HostScripts(host), OutputPlans.to(OUT, "/data/needed/model", later), Map.of());

    OutputNotes notes = OutputNotesReader.read(new HostScripts(host), Optional.empty());

    assertThat(notes.whereabouts(OutputPlans.RUN).orElseThrow().folder()).contains(OUT);
    assertThat(notes.whereabouts(OutputPlans.RUN).orElseThrow().why()).isEmpty();
    assertThat(notes.whereabouts(later).orElseThrow().folder()).contains(OUT);
  }

  private void fill(String out) throws IOException {
    machine.run(
        "mkdir -p " + out + " && cd " + out + " && for n in 0 1 2; do echo $n >data_$n.pt; done");
  }

  private String refused(String path, Map<String, String> bad) throws IOException {
    Map<String, String> before = machine.snapshot();
    Failure failure = catchThrowableOfType(Failure.class, () -> keep(host, path, bad));
    assertThat(failure).isNotNull();
    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(machine.snapshot()).isEqualTo(before);
    return failure.problem();
  }

  private static Kept keep(Host on, String out, Map<String, String> bad) {
    return OutputKeeper.keep(new HostScripts(on), OutputPlans.to(out), bad);
  }
}
