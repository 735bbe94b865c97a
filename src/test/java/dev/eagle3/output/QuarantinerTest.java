package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInMachine;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real files on a machine with a root folder of its own. */
@Tag("slow")
class QuarantinerTest {
  private static final String OUT = "/data/out";
  private static final String BAD = "/data/bad";

  @TempDir Path folder;
  private StandInMachine machine;
  private Host host;

  @BeforeEach
  void startTheMachine() throws IOException {
    machine = StandInMachine.start(Files.createDirectory(folder.resolve("root")));
    host = machine.host();
    machine.write(OUT + "/data_0.pt", OUT + "/data_1.pt", OUT + "/rows_0-9/data_1.pt");
  }

  @AfterEach
  void endTheMachine() {
    host.close();
    machine.close();
  }

  @ParameterizedTest
  @MethodSource("shells")
  void filesKeepTheirPathAndComeBackWithOneCommand(String shell) throws IOException {
    Map<String, String> before = machine.snapshot();
    try (Host other = machine.hostWithShell(shell)) {
      Quarantined done =
          new Quarantiner(new HostScripts(other)).move(of("data_1.pt", "rows_0-9/data_1.pt"));

      assertThat(done.left()).isEmpty();
      assertThat(names(done.moved())).containsExactly("data_1.pt", "rows_0-9/data_1.pt");
    }
    assertThat(machine.run("cd /data && find . -name '*.pt' | sort"))
        .isEqualTo("./bad/data_1.pt\n./bad/rows_0-9/data_1.pt\n./out/data_0.pt\n");

    assertThat(machine.run("sh " + BAD + "/.eagle3-put-back.sh")).isEmpty();

    Map<String, String> after = machine.snapshot();
    after.keySet().removeIf(path -> path.startsWith(BAD) || path.startsWith("/steps"));
    assertThat(after).isEqualTo(before);
  }

  static Stream<String> shells() {
    return Stream.of("dash", "bash", "busybox").filter(Tools::has);
  }

  @Test
  void lookingChangesNothing() throws IOException {
    Map<String, String> before = machine.snapshot();

    Quarantined seen = quarantiner().look(of("data_1.pt"));

    assertThat(names(seen.moved())).containsExactly("data_1.pt");
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  @Test
  @Hostile("a file of that name is in quarantine already")
  void aTakenNameIsRefusedBeforeAnythingIsMoved() throws IOException {
    machine.write(BAD + "/rows_0-9/data_1.pt");

    refused(of("data_1.pt", "rows_0-9/data_1.pt"), "the name is taken: /data/bad/rows_0-9/data_1");
  }

  @Test
  @Hostile("the folder for bad files is on another file system")
  void anotherFileSystemIsRefusedAsNothingIsCopied() throws IOException {
    machine.run("mkdir /mnt/other && mount -t tmpfs other /mnt/other");

    refused(
        new Quarantine(OUT, "/mnt/other/new/bad", files("data_1.pt")),
        "it is not on the file system of /data/out, and files are only renamed");
  }

  @Test
  @Hostile("a bad file is one that a process still writes")
  void aFileThatIsOpenForWritingStays() throws IOException {
    machine.run(
        "exec 7>>"
            + OUT
            + "/data_0.pt; sleep 600 >/dev/null 2>&1 </dev/null & echo $! >/tmp/writer");
    try {
      Quarantined done = quarantiner().move(of("data_0.pt"));

      assertThat(done.moved()).isEmpty();
      assertThat(done.left())
          .singleElement()
          .satisfies(left -> assertThat(left.why()).isEqualTo("it is open for writing"));
    } finally {
      machine.run("kill $(cat /tmp/writer)");
    }
    assertThat(machine.at(BAD)).doesNotExist();
  }

  @Test
  @Hostile("a bad file grew, and another vanished, since they were verified")
  void whatIsNoMoreTheFileThatWasVerifiedStays() throws IOException {
    machine.run("echo more >>" + OUT + "/data_0.pt && rm " + OUT + "/data_1.pt");

    Quarantined done = quarantiner().move(of("data_0.pt", "data_1.pt", "rows_0-9/data_1.pt"));

    assertThat(names(done.moved())).containsExactly("rows_0-9/data_1.pt");
    assertThat(done.left())
        .extracting(Quarantined.Left::why)
        .containsExactly("it has another size by now", "it is not there any more");
  }

  @Test
  @Hostile("links in the folder for bad files lead elsewhere")
  void linksInTheWayAreNotFollowed() throws IOException {
    machine.run("mkdir -p /data/bad /data/elsewhere && ln -s ../elsewhere /data/bad/rows_0-9");
    refused(of("rows_0-9/data_1.pt"), "a link or a file is in the way: /data/bad/rows_0-9");

    machine.run("ln -s ../elsewhere/precious /data/bad/.eagle3-put-back.sh");
    refused(of("data_1.pt"), "a link is in the way: /data/bad/.eagle3-put-back.sh");
    assertThat(machine.run("ls /data/elsewhere")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {OUT, OUT + "/bad", "/data/link/bad", "/data/file", "/data/../etc", "bad"})
  void aFolderThatWouldNotDoIsRefused(String where) throws IOException {
    machine.run("ln -s out /data/link && echo >/data/file");

    refused(new Quarantine(OUT, where, files("data_1.pt")), "");
  }

  @Test
  void aHiddenFolderInAMountPointWillDo() throws IOException {
    machine.run("mkdir /mnt/v && mount -t tmpfs v /mnt/v && cp /data/out/data_0.pt /mnt/v");

    Quarantined done =
        quarantiner().move(new Quarantine("/mnt/v", "/mnt/v/.bad", files("data_0.pt")));

    assertThat(done.moved()).hasSize(1);
    assertThat(machine.run("ls -A /mnt/v /mnt/v/.bad")).contains(".bad", "data_0.pt");
  }

  @Test
  @Hostile("bad files have names with quotes, spaces, line ends and shell text")
  void namesThatAreShellTextAreOnlyNames() throws IOException {
    String name = "data_1 'x'\n$(touch ran)`touch ran`;\\t.pt";
    Files.writeString(machine.at(OUT + "/" + name), "12345");

    Quarantined done =
        quarantiner().move(new Quarantine(OUT, BAD, List.of(new BadFile(name, 5, "bad\nrm -rf"))));

    assertThat(names(done.moved())).containsExactly(name);
    assertThat(machine.at(BAD + "/" + name)).hasContent("12345");
    machine.run("cd /data && sh " + BAD + "/.eagle3-put-back.sh");
    assertThat(machine.at(OUT + "/" + name)).hasContent("12345");
    assertThat(machine.run("find / -xdev -name ran")).isEmpty();
  }

  @Test
  @Hostile("the connection is lost, and the host's shell killed, in the middle of a move")
  void afterAnInterruptionTheRestIsDone() throws IOException {
    try (Host dying = machine.hostThatDiesAt(3)) {
      Quarantiner interrupted = new Quarantiner(new HostScripts(dying));
      assertThatThrownBy(() -> interrupted.move(of("data_0.pt", "data_1.pt")))
          .isInstanceOf(Failure.class);
    }

    Quarantined done = quarantiner().move(of("data_0.pt", "data_1.pt"));

    assertThat(names(done.moved())).containsExactly("data_0.pt", "data_1.pt");
    assertThat(machine.run("ls " + OUT)).isEqualTo("rows_0-9\n");
    assertThat(machine.run("sh " + BAD + "/.eagle3-put-back.sh 2>/dev/null; ls " + OUT))
        .isEqualTo("data_0.pt\ndata_1.pt\nrows_0-9\n");
  }

  private void refused(Quarantine quarantine, String why) throws IOException {
    Map<String, String> before = machine.snapshot();

    Failure look = catchThrowableOfType(Failure.class, () -> quarantiner().look(quarantine));
    Failure move = catchThrowableOfType(Failure.class, () -> quarantiner().move(quarantine));

    for (Failure failure : List.of(look, move)) {
      assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
      assertThat(failure.problem()).startsWith("takes no files: ").contains(why);
    }
    assertThat(machine.snapshot()).isEqualTo(before);
  }

  private Quarantiner quarantiner() {
    return new Quarantiner(new HostScripts(host));
  }

  private Quarantine of(String... names) {
    return new Quarantine(OUT, BAD, files(names));
  }

  /** Their content is their path, as the machine writes it. */
  private static List<BadFile> files(String... names) {
    return Arrays.stream(names).map(name -> file(name, (OUT + "/" + name).length())).toList();
  }

  private static BadFile file(String name, long bytes) {
    return new BadFile(name, bytes, "file.cut, it ends early");
  }

  private static List<String> names(List<BadFile> files) {
    return files.stream().map(BadFile::name).toList();
  }
}
