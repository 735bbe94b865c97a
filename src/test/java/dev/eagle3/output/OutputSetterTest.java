package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.output.SetAside.How;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import dev.eagle3.testing.StandInMachine;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Real files on a machine with a root folder of its own, which every refusal is attacked on. */
@Tag("slow")
class OutputSetterTest {
  private static final String OUT = "/data/out";
  private static final String ASIDE = "/data/out.before-" + OutputPlans.RUN;

  @TempDir Path folder;
  private StandInMachine machine;
  private Host host;

  @BeforeEach
  void startTheMachine() throws IOException {
    machine = StandInMachine.start(Files.createDirectory(folder.resolve("root")));
    machine.write(
        "/data/needed/model/config.json",
        "/data/needed/prepared/data.jsonl",
        "/data/needed/script.py",
        "/data/needed/python3",
        "/root/.eagle3/runs/notes");
    host = machine.host();
  }

  @AfterEach
  void endTheMachine() {
    host.close();
    machine.close();
  }

  @Test
  void previousOutputIsRenamedAndANewFolderLikeItIsMade() throws IOException {
    machine.write(OUT + "/data_0.pt", OUT + "/data_1.pt", OUT + "/rows_0-2000/data_0.ckpt.gz");
    machine.run("chmod 2750 " + OUT);

    SetAside done = setAside(OUT);

    assertThat(done.how()).isEqualTo(How.RENAMED);
    assertThat(done.aside()).contains(ASIDE);
    assertThat(done.target()).isEqualTo(OUT);
    assertThat(done.entries()).hasValue(3);
    assertThat(done.bytes().getAsLong()).isBetween(1L, 1L << 20);
    assertThat(done.says()).contains("previous output is now " + ASIDE, "3 entries");
    assertThat(machine.run("ls -A " + OUT)).isEmpty();
    assertThat(machine.run("stat -c %a " + OUT + " " + ASIDE)).isEqualTo("2750\n2750\n");
    assertThat(machine.at(ASIDE + "/rows_0-2000/data_0.ckpt.gz")).exists();
  }

  @Test
  void theOwnerOfTheFolderStaysItsOwner() throws IOException {
    machine.write(OUT + "/data_0.pt");
    String chown = machine.run("chown 1000:1001 " + OUT);
    assertThat(chown).isEmpty();

    setAside(OUT);

    assertThat(machine.run("stat -c %u:%g " + OUT)).isEqualTo("1000:1001\n");
  }

  @Test
  void whatIsNotThereIsMadeWithItsParents() {
    SetAside done = setAside("/data/a/b/c");

    assertThat(done.how()).isEqualTo(How.CREATED);
    assertThat(done.aside()).isEmpty();
    assertThat(machine.at("/data/a/b/c")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/data/out", "/data/new/deep", "/data/empty", "/mnt/volume"})
  void aLookChangesNothing(String out) throws IOException {
    machine.run(
        "mkdir -p /data/out /data/empty && touch /data/out/data_0.pt /mnt/volume/data_0.pt");
    Map<String, String> before = machine.snapshot();

    check(host, OutputPlans.to(out), "");

    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  void whoLostTheLockTouchesNothing() throws IOException {
    machine.run("mkdir -p /data/out /data/out.eagle3-lock /root/.eagle3/runs");
    machine.run("touch /data/out/data_0.pt /data/out.eagle3-lock/20261129-180000-beef");
    machine.run("echo /data/out.eagle3-lock >/root/.eagle3/runs/" + OutputPlans.RUN + ".lock");
    Map<String, String> before = machine.snapshot();

    Failure failure = catchThrowableOfType(Failure.class, () -> setAside("/data/out"));

    assertThat(failure.problem()).contains("another run took it over");
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  void anEmptyFolderIsLeftAlone() throws IOException {
    machine.run("mkdir " + OUT);
    Map<String, String> before = machine.snapshot();

    assertThat(setAside(OUT).how()).isEqualTo(How.EMPTY);
    Map<String, String> after = machine.snapshot();
    assertThat(after.remove("/root/.eagle3/runs/" + OutputPlans.RUN + ".aside")).contains("empty");
    assertThat(after).isEqualTo(before);
  }

  @Test
  void aSecondTimeItSaysThatItIsDone() throws IOException {
    machine.write(OUT + "/data_0.pt");
    setAside(OUT);
    Map<String, String> before = machine.snapshot();

    SetAside again = setAside(OUT);

    assertThat(again.how()).isEqualTo(How.ALREADY);
    assertThat(again.aside()).contains(ASIDE);
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  void aLinkStaysAndWhatItLeadsToIsRenamed() throws IOException {
    machine.write("/mnt/disk/out/data_0.pt");
    machine.run("ln -s /mnt/disk/out /data/link");

    SetAside done = setAside("/data/link");

    assertThat(done.folder()).isEqualTo("/data/link");
    assertThat(done.target()).isEqualTo("/mnt/disk/out");
    assertThat(done.aside()).contains("/mnt/disk/out.before-" + OutputPlans.RUN);
    assertThat(machine.run("readlink /data/link")).isEqualTo("/mnt/disk/out\n");
    assertThat(machine.run("ls -A /data/link/")).isEmpty();
  }

  @Test
  void aLinkThatLeadsNowhereGetsItsFolder() throws IOException {
    machine.run("ln -s /data/later /data/link");

    assertThat(setAside("/data/link").target()).isEqualTo("/data/later");
    assertThat(machine.at("/data/later")).isEmptyDirectory();
  }

  @Test
  void inAMountPointEntriesGoIntoAFolderInsideIt() throws IOException {
    machine.run(
        "cd /mnt/volume && mkdir lost+found .eagle3-lock rows_1 && touch rows_1/data_1.ckpt .nfs01"
            + " && for i in $(seq 1200); do echo $i >data_$i.pt; done");

    SetAside done = setAside("/mnt/volume");

    assertThat(done.how()).isEqualTo(How.INSIDE);
    assertThat(done.aside()).contains("/mnt/volume/.before-" + OutputPlans.RUN);
    assertThat(done.entries()).hasValue(1202);
    assertThat(machine.run("ls -A /mnt/volume"))
        .isEqualTo(".before-" + OutputPlans.RUN + "\n.eagle3-lock\nlost+found\n");
    assertThat(machine.run("ls -A /mnt/volume/.before-*/ | wc -l").strip()).isEqualTo("1202");
    assertThat(setAside("/mnt/volume").how()).isEqualTo(How.ALREADY);
  }

  @Test
  void whereTheParentMayNotBeWrittenEntriesGoInsideToo() throws IOException {
    machine.write(OUT + "/data_0.pt");
    machine.run("chmod 0555 /data");

    try (Host powerless = machine.powerlessHost()) {
      SetAside done = setAside(powerless, OutputPlans.to(OUT), "");
      assertThat(done.how()).isEqualTo(How.INSIDE);
    }
    assertThat(machine.at(OUT + "/.before-" + OutputPlans.RUN + "/data_0.pt")).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/data/with blank/o ut",
        "/data/new\nline\n",
        "/data/tab\there",
        "/data/quote'd \"twice\"",
        "/data/-rf",
        "/data/$(touch /data/pwned)`touch /data/pwned`$HOME",
        "/data/back\\slash\\n",
        "/data/*",
        "/data/out/",
        "/data//.//out/./",
        "/data/näme",
        "/data/.hidden",
        "/data/[a-z]?{x,y}~!#;&|<>"
      })
  void aNameIsOnlyAName(String path) throws IOException {
    machine.write(
        path + "/data_0.pt",
        path + "/-rf.pt",
        path + "/a b\n.pt",
        path + "/*.pt",
        path + "/.a.lock");
    machine.write("/data/other/data_0.pt");
    Map<String, String> other = machine.snapshot();
    other
        .keySet()
        .removeIf(key -> !key.startsWith("/data/other") && !key.startsWith("/data/needed"));

    SetAside done = setAside(path);

    assertThat(done.how()).isEqualTo(How.RENAMED);
    String aside = done.aside().orElseThrow();
    assertThat(aside).endsWith(".before-" + OutputPlans.RUN);
    try (Stream<Path> moved = Files.list(machine.at(aside))) {
      assertThat(moved).hasSize(5);
    }
    assertThat(machine.at(path)).isEmptyDirectory();
    assertThat(machine.at("/data/pwned")).doesNotExist();
    assertThat(machine.snapshot()).containsAllEntriesOf(other);

    Restored back = OutputRestorer.restore(new HostScripts(host), OutputPlans.to(path), false);
    assertThat(machine.at(back.folder() + "/a b\n.pt")).exists();
    assertThat(machine.at(aside)).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|the path is empty",
        "data/out|the path is relative",
        "./out|the path is relative",
        "~/out|the path is relative",
        "-rf|the path is relative",
        "/data/out/..|has .. in it",
        "/data/../root|has .. in it",
        "/|the root folder",
        "//|the root folder",
        "/./|the root folder",
        "/root|system",
        "/root/|system",
        "/home|system",
        "/home/alice|the home of alice",
        "/people|the home of bob",
        "/usr|system",
        "/usr/bin|system",
        "/etc|system",
        "/etc/ssl|system",
        "/bin|system",
        "/mnt|system",
        "/tmp|system",
        "/proc/self|system",
        "/data|what the run needs",
        "/data/needed|what the run needs",
        "/data/needed/model|what the run needs",
        "/data/needed/prepared|what the run needs",
        "/data/needed/script.py|what the run needs",
        "/root/.eagle3|the state of eagle3",
        "/root/.eagle3/runs|the state of eagle3",
        "/data/toroot|the root folder",
        "/data/tohome|the home of alice",
        "/data/toneeded|what the run needs",
        "/data/file|not a folder"
      })
  void whatMustNotBeTouchedIsRefused(String path, String why) throws IOException {
    machine.run(
        "mkdir -p /people/bob /etc/ssl; touch /etc/ssl/a.pt /people/a.pt /mnt/a.pt /data/file;"
            + "ln -s / /data/toroot; ln -s /home/alice /data/tohome;"
            + "ln -s needed /data/toneeded");

    refused(OutputPlans.to(path), "", why);
    refused(OutputPlans.to(path), path, why);
  }

  @Test
  void aHomeBehindALinkIsRefused() throws IOException {
    machine.run("mkdir /data/homes && mv /home/alice /data/homes/ && rmdir /home");
    machine.run("ln -s /data/homes /home && touch /data/homes/alice/a.pt");

    refused(OutputPlans.to("/data/homes/alice"), "", "the home of alice");
    refused(OutputPlans.to("/data/homes"), "/data/homes", "the home of alice");
  }

  @Test
  void aFolderThatALinkToTheModelStandsInIsRefused() throws IOException {
    machine.write("/data/far/config.json", OUT + "/data_0.pt");
    machine.run("ln -s /data/far " + OUT + "/model.pt && ln -s " + OUT + "/model.pt /data/model");

    refusedWhenTried(
        OutputPlans.to(OUT, OUT + "/model.pt", OutputPlans.RUN), "", "what the run needs");
    // The link in the middle is seen by what the rename did, which is taken back.
    refusedWhenTried(OutputPlans.to(OUT, "/data/model", OutputPlans.RUN), OUT, "put back");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "notes.txt",
        "model.bin",
        ".bashrc",
        "data_0.pt.txt",
        "02_extract.py",
        "folder.pt/x",
        "rows_0/notes.txt",
        "rows_0/rows_1/data_0.ckpt",
        "checkpoints/data_0.pt",
        ".git/config",
        "..odd",
        "pt",
        "a\nb"
      })
  void otherFilesThanOutputAreRefusedUnlessTheFolderIsNamedAgain(String name) throws IOException {
    machine.write(OUT + "/data_0.pt", OUT + "/" + name);
    String first = name.contains("/") ? name.substring(0, name.indexOf('/')) : name;

    Failure failure =
        refused(OutputPlans.to(OUT), "", "no extraction output: " + first.replace("\n", "\\n"));
    assertThat(failure.tryNext().orElse("")).contains("--yes-remove");
    refused(OutputPlans.to(OUT), "/data", "no extraction output");
    refused(OutputPlans.to(OUT), "/data/ou", "no extraction output");

    assertThat(setAside(host, OutputPlans.to(OUT), OUT + "/").how()).isEqualTo(How.RENAMED);
    assertThat(machine.at(ASIDE + "/" + name)).exists();
  }

  @Test
  void allThatExtractorsWriteIsOutput() throws IOException {
    for (String name :
        List.of(
            "data_0.pt",
            "a.ckpt",
            "a.ckpt.gz",
            "req.safetensors",
            "req.safetensors.lock",
            "data_config.json",
            "sample_lengths.json",
            ".nfs0000012",
            "rows_0-5000/data_4999.ckpt")) {
      machine.write(OUT + "/" + name);
    }

    assertThat(setAside(OUT).entries()).hasValue(9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mkdir", "touch", "ln -s /nowhere"})
  void aTakenNameIsRefused(String make) throws IOException {
    machine.write(OUT + "/data_0.pt");
    machine.run(make + " " + ASIDE);

    refused(OutputPlans.to(OUT), "", "the name is taken: " + ASIDE);
  }

  @Test
  void withoutPermissionNothingIsTouched() throws IOException {
    machine.write(OUT + "/data_0.pt");
    machine.run("chmod 0555 /data " + OUT);
    Map<String, String> before = machine.snapshot();

    try (Host powerless = machine.powerlessHost()) {
      Failure failure =
          catchThrowableOfType(Failure.class, () -> setAside(powerless, OutputPlans.to(OUT), ""));
      assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
      assertThat(failure.problem()).contains("Permission denied");
    }
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  void aRenameThatTheFileSystemDoesNotDoIsNotReplacedByACopy() throws IOException {
    machine.run("mkdir -p /data/low/out /data/up /data/work /data/mnt");
    machine.write("/data/low/out/data_0.pt");
    String mounted =
        machine.run(
            "mount -t overlay o -o lowerdir=/data/low,upperdir=/data/up,workdir=/data/work"
                + " /data/mnt");
    assertThat(mounted).isEmpty();

    Failure failure = catchThrowableOfType(Failure.class, () -> setAside("/data/mnt/out"));

    assertThat(failure.problem()).contains("it cannot be renamed");
    assertThat(machine.run("cat /data/mnt/out/data_0.pt")).isEqualTo("/data/low/out/data_0.pt");
    assertThat(machine.run("ls -d /data/mnt/out.before-*")).contains("No such file");
  }

  @Test
  void aFolderWithATooLongNameIsLeftAlone() throws IOException {
    String path = "/data/" + "n".repeat(240);
    machine.write(path + "/data_0.pt");

    refusedWhenTried(OutputPlans.to(path), "", "it cannot be renamed");
  }

  @ParameterizedTest
  @MethodSource("otherShells")
  void otherShellsDoTheSame(String shell) throws IOException {
    machine.write(OUT + "/data_0.pt", OUT + "/a b\n.pt", "/data/other/notes");
    machine.run("touch /mnt/volume/data_1.pt");
    ExtractionPlan volume =
        OutputPlans.to("/mnt/volume", "/data/needed/model", new RunId("20261129-171501-0001"));
    ExtractionPlan notes =
        OutputPlans.to("/data/other", "/data/needed/model", new RunId("20261129-171502-0002"));
    try (Host other = machine.hostWithShell(shell)) {
      assertThat(setAside(other, OutputPlans.to(OUT), "").how()).isEqualTo(How.RENAMED);
      assertThat(setAside(other, volume, "").how()).isEqualTo(How.INSIDE);
      assertThat(catchThrowableOfType(Failure.class, () -> setAside(other, notes, "")))
          .hasMessageContaining("no extraction output: notes");
      for (ExtractionPlan plan : List.of(OutputPlans.to(OUT), volume)) {
        OutputRestorer.restore(new HostScripts(other), plan, false);
      }
    }
    assertThat(machine.at(OUT + "/a b\n.pt")).exists();
    assertThat(machine.run("ls -A /mnt/volume")).isEqualTo("data_1.pt\n");
  }

  static List<String> otherShells() {
    return Stream.of("bash", "busybox").filter(Tools::has).toList();
  }

  private Failure refused(ExtractionPlan plan, String again, String why) throws IOException {
    Map<String, String> before = machine.snapshot();
    Failure looked = catchThrowableOfType(Failure.class, () -> check(host, plan, again));
    assertThat(looked).as("a look before").isNotNull();
    assertThat(looked.problem()).contains(why);
    assertThat(machine.snapshot()).isEqualTo(before);
    return refusedWhenTried(plan, again, why);
  }

  private Failure refusedWhenTried(ExtractionPlan plan, String again, String why)
      throws IOException {
    Map<String, String> before = machine.snapshot();
    Failure failure = catchThrowableOfType(Failure.class, () -> setAside(host, plan, again));
    assertThat(failure).isNotNull();
    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(failure.problem()).contains(why);
    assertThat(machine.snapshot()).isEqualTo(before);
    return failure;
  }

  private static void check(Host host, ExtractionPlan plan, String again) {
    OutputSetter.check(
        new HostScripts(host), plan, Optional.of(again).filter(text -> !text.isEmpty()));
  }

  private SetAside setAside(String outputDir) {
    return setAside(host, OutputPlans.to(outputDir), "");
  }

  private static SetAside setAside(Host host, ExtractionPlan plan, String again) {
    return OutputSetter.setAside(
        new HostScripts(host), plan, Optional.of(again).filter(text -> !text.isEmpty()));
  }
}
