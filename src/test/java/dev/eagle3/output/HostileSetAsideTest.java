package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.output.SetAside.How;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Folders that change under the step, names of all bytes, and file systems that do not play along.
 */
@Tag("slow")
class HostileSetAsideTest {
  private static final String OUT = "/data/out";
  private static final String ASIDE = OUT + ".before-" + OutputPlans.RUN;

  /** A file for each byte that a name may hold, and what is in the folder as hexadecimal names. */
  private static final String EVERY_BYTE =
      "import os\n"
          + "for b in range(1, 256):\n"
          + "    if b != 47: open(bytes([b]) + b'.pt', 'w').close()\n"
          + "open(b'-rf.pt', 'w').close()\n";

  private static final String NAMES =
      "import os, sys\n"
          + "print(' '.join(sorted(n.hex() for n in os.listdir(os.fsencode(sys.argv[1])) if n[:1] != b'.' or n[-3:] == b'.pt')))";

  @TempDir Path folder;
  private StandInMachine machine;
  private Host host;

  @BeforeEach
  void startTheMachine() throws IOException {
    machine = StandInMachine.start(Files.createDirectory(folder.resolve("root")));
    machine.write("/data/needed/model/config.json", "/root/.eagle3/runs/notes");
    host = machine.host();
  }

  @AfterEach
  void endTheMachine() {
    host.close();
    machine.close();
  }

  @Test
  @Hostile("the output folder becomes a link between check and rename")
  void aFolderThatBecomesALinkMeanwhileIsNotTakenForOutput() throws IOException {
    machine.write(OUT + "/data_0.pt", "/data/precious/a.pt");
    String swap = "mv " + OUT + " /data/elsewhere && ln -s /data/precious " + OUT;

    // Right before the note is put in its place, and so after all that is looked at.
    try (Host swapped = machine.hostOnWhich(swap, "mv")) {
      Failure failure = catchThrowableOfType(Failure.class, () -> setAside(swapped, OUT));

      assertThat(failure.problem()).contains("something else was put in its place", "put back");
    }
    assertThat(machine.run("readlink " + OUT)).isEqualTo("/data/precious\n");
    assertThat(machine.run("cat /data/elsewhere/data_0.pt")).isEqualTo(OUT + "/data_0.pt");
    assertThat(machine.run("cat /data/precious/a.pt")).isEqualTo("/data/precious/a.pt");
  }

  @Test
  @Hostile("another folder stands at the path when it is renamed")
  void aFolderThatIsReplacedMeanwhileIsPutBack() throws IOException {
    machine.write(OUT + "/data_0.pt", "/data/other/notes");
    String swap = "mv " + OUT + " /data/elsewhere && mv /data/other " + OUT;

    // The first mv puts the note in its place: by then the folder is the one that was looked at.
    try (Host swapped = machine.hostOnWhich(swap, "mv")) {
      Failure failure = catchThrowableOfType(Failure.class, () -> setAside(swapped, OUT));

      assertThat(failure.problem()).contains("something else was put in its place", "put back");
    }
    assertThat(machine.run("cat " + OUT + "/notes")).isEqualTo("/data/other/notes");
    assertThat(machine.run("cat /data/elsewhere/data_0.pt")).isEqualTo(OUT + "/data_0.pt");
    assertThat(machine.at(ASIDE)).doesNotExist();
  }

  @Test
  @Hostile("the output folder is a link to itself")
  void aLoopOfLinksIsRefused() throws IOException {
    machine.run("ln -s loop /data/loop");
    Map<String, String> before = machine.snapshot();

    Failure failure = catchThrowableOfType(Failure.class, () -> setAside(host, "/data/loop"));

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(failure.problem()).contains("not a folder");
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  @Hostile("the disk of the state folder is full")
  void whereNothingCanBeNotedNothingIsRenamed() throws IOException {
    machine.write(OUT + "/data_0.pt");
    machine.run(
        "mount -t tmpfs -o size=4096 full /root/.eagle3/runs && cat /dev/zero >/root/.eagle3/runs/full");
    Map<String, String> before = machine.snapshot();

    Failure failure = catchThrowableOfType(Failure.class, () -> setAside(host, OUT));

    assertThat(failure.problem()).contains("nothing can be noted", "the disk is full");
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  @Hostile("the output folder is on a read-only file system")
  void onAReadOnlyFileSystemNothingIsTouched() throws IOException {
    machine.run(
        "mkdir /data/ro && mount -t tmpfs ro /data/ro && mkdir /data/ro/out"
            + " && echo 1 >/data/ro/out/data_0.pt && mount -o remount,ro /data/ro");

    Failure failure = catchThrowableOfType(Failure.class, () -> setAside(host, "/data/ro/out"));

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(failure.problem()).contains("Read-only file system");
    assertThat(machine.run("cat /data/ro/out/data_0.pt; ls /data/ro")).isEqualTo("1\nout\n");
    assertThat(machine.run("ls /root/.eagle3/runs")).isEqualTo("notes\n");
  }

  @Test
  @Hostile("names of files hold every byte, also invalid UTF-8 and line ends")
  void everyNameSurvivesThereAndBack() throws IOException {
    for (String out : List.of(OUT, "/mnt/volume")) {
      ExtractionPlan plan = OutputPlans.to(out);
      machine.run("rm -rf /root/.eagle3/runs/*; mkdir -p " + out);
      machine.run("cd " + out + " && python3 -c \"" + EVERY_BYTE + "\"");
      String names = namesIn(out);
      assertThat(names.split(" ", -1)).hasSize(255);

      SetAside done = OutputSetter.setAside(new HostScripts(host), plan, Optional.empty());

      assertThat(done.entries()).hasValue(255);
      assertThat(namesIn(done.aside().orElseThrow())).isEqualTo(names);
      OutputRestorer.restore(new HostScripts(host), plan, false);
      assertThat(namesIn(out)).isEqualTo(names);
    }
  }

  @Test
  @Hostile("the output folder holds 100,000 files")
  void aHundredThousandFilesAreSetAside() throws IOException {
    machine.run("mkdir " + OUT + " && cd " + OUT + " && seq -f data_%.0f.pt 100000 | xargs touch");

    SetAside done = setAside(host, OUT);

    assertThat(done.entries()).hasValue(100_000);
    assertThat(machine.run("ls " + ASIDE + " | wc -l").strip()).isEqualTo("100000");
    assertThat(machine.at(OUT)).isEmptyDirectory();
  }

  @Test
  @Hostile("a file system is mounted inside the output folder")
  void aMountInsideGoesAlongAndIsNeverDeleted() throws IOException {
    machine.write(OUT + "/data_0.pt");
    machine.run(
        "mkdir '"
            + OUT
            + "/rows_ 1' && mount -t tmpfs inner '"
            + OUT
            + "/rows_ 1'"
            + " && echo precious >'"
            + OUT
            + "/rows_ 1/data_1.ckpt'");

    SetAside done = setAside(host, OUT);
    Failure failure = catchThrowableOfType(Failure.class, () -> prune(ASIDE));

    assertThat(done.how()).isEqualTo(How.RENAMED);
    assertThat(failure.problem()).contains("something is mounted in it");
    assertThat(machine.run("cat '" + ASIDE + "/rows_ 1/data_1.ckpt'")).isEqualTo("precious\n");
    OutputRestorer.restore(new HostScripts(host), OutputPlans.to(OUT), false);
    assertThat(machine.run("cat '" + OUT + "/rows_ 1/data_1.ckpt'")).isEqualTo("precious\n");
  }

  @Test
  @Hostile("a mount point holds a mount point that cannot be moved")
  void whatCannotBeMovedIsPutBackWhole() throws IOException {
    machine.run(
        "cd /mnt/volume && touch data_0.pt data_9.pt && mkdir rows_0 && mount -t tmpfs inner rows_0");

    Failure failure = catchThrowableOfType(Failure.class, () -> setAside(host, "/mnt/volume"));

    assertThat(failure.problem()).contains("not all of it can be moved; it was put back");
    assertThat(machine.run("ls -A /mnt/volume")).isEqualTo("data_0.pt\ndata_9.pt\nrows_0\n");
    assertThat(machine.run("ls /root/.eagle3/runs")).isEqualTo("notes\n");
  }

  @Test
  @Hostile("the step is asked again when the job writes already")
  void askedAgainItSaysWhatWasDoneAndMovesNothing() throws IOException {
    machine.write(OUT + "/data_0.pt");
    SetAside first = setAside(host, OUT);
    machine.run("echo new >" + OUT + "/data_0.pt; touch " + OUT + "/notes.txt");
    Map<String, String> before = machine.snapshot();

    SetAside again = setAside(host, OUT);

    assertThat(again.how()).isEqualTo(How.ALREADY);
    assertThat(again.aside()).isEqualTo(first.aside());
    assertThat(again.bytes()).isEqualTo(first.bytes());
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  @Hostile("the step for a new folder is asked again when the job writes already")
  void aNewFolderIsNotSetAsideByTheSecondQuestion() throws IOException {
    assertThat(setAside(host, OUT).how()).isEqualTo(How.CREATED);
    machine.run("echo new >" + OUT + "/data_0.pt");
    Map<String, String> before = machine.snapshot();

    assertThat(setAside(host, OUT).how()).isEqualTo(How.CREATED);

    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  @Hostile("the step is asked again while the first one still runs")
  void askedManyTimesAtOnceItIsDoneOnce() throws Exception {
    for (int round = 0; round < 4; round++) {
      machine.run("rm -rf /root/.eagle3/runs/* /data/out*");
      machine.write(OUT + "/data_0.pt");
      ExecutorService pool = Executors.newFixedThreadPool(4);
      try {
        Callable<SetAside> ask = () -> setAside(host, OUT);
        List<Future<SetAside>> answers = pool.invokeAll(List.of(ask, ask, ask, ask));
        List<How> how = new ArrayList<>();
        for (Future<SetAside> answer : answers) {
          assertThat(answer.get().aside()).contains(ASIDE);
          how.add(answer.get().how());
        }
        assertThat(how).containsOnlyOnce(How.RENAMED);
      } finally {
        pool.shutdown();
      }
      assertThat(machine.run("cd /data && ls -d out*"))
          .isEqualTo("out\n" + "out.before-" + OutputPlans.RUN + "\n");
      assertThat(machine.run("cat " + ASIDE + "/data_0.pt")).isEqualTo(OUT + "/data_0.pt");
    }
  }

  @Test
  @Hostile("one run is made ready for two folders")
  void aRunHasOneFolder() throws IOException {
    machine.write(OUT + "/data_0.pt", "/data/second/data_0.pt");
    setAside(host, OUT);

    Failure failure = catchThrowableOfType(Failure.class, () -> setAside(host, "/data/second"));

    assertThat(failure.problem()).contains("made ready for another folder before: " + OUT);
    assertThat(machine.at("/data/second/data_0.pt")).exists();
  }

  private String namesIn(String path) throws IOException {
    return machine.run("python3 -c \"" + NAMES + "\" " + path).strip();
  }

  private void prune(String path) {
    OutputPruner.prune(new HostScripts(host), Optional.empty(), OutputPlans.RUN, path);
  }

  private static SetAside setAside(Host on, String out) {
    return OutputSetter.setAside(new HostScripts(on), OutputPlans.to(out), Optional.empty());
  }
}
