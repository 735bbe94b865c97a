package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostProcess;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.outcome.Failure;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who writes a log, asked of this machine. */
class LogLookerTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void whoWritesIsToldAndWhoReadsIsNot(String shell) throws Exception {
    Path log = Files.writeString(folder.resolve("extract debug.log"), "12345");
    Path link = Files.createSymbolicLink(folder.resolve("link.log"), log);
    Process reader = new ProcessBuilder("sleep", "600").redirectInput(log.toFile()).start();
    Process writer = writer(log);
    try (Host host = hostWith(shell)) {
      HostScripts scripts = new HostScripts(host);
      LogLook look = LogLooker.look(scripts, link.toString(), List.of());
      assertThat(look.is()).isEqualTo(LogLook.Is.LOG);
      assertThat(look.bytes()).isEqualTo(5);
      assertThat(look.real()).isEqualTo(log.toRealPath().toString());
      assertThat(look.writers()).extracting(HostProcess::pid).containsExactly(writer.pid());
      assertThat(look.writers().get(0).arguments()).startsWith("sleep", "601");
      assertThat(look.isShared()).isFalse();
      LogLook again = LogLooker.look(scripts, link.toString(), List.of(1L, writer.pid()));
      assertThat(again.still()).isEqualTo(writer.pid());
      assertThat(again.isHeld()).isTrue();
      writer.destroyForcibly().waitFor();
      LogLook after = LogLooker.look(scripts, link.toString(), List.of(writer.pid()));
      assertThat(after.isHeld()).isFalse();
      assertThat(after.stillSeconds()).isBetween(0L, 600L);
    } finally {
      writer.destroyForcibly().waitFor();
      reader.destroyForcibly().waitFor();
    }
  }

  @Test
  @Hostile("a log that was deleted while a process writes it")
  void whoWritesADeletedLogStillWrites() throws Exception {
    Path log = Files.createFile(folder.toRealPath().resolve("extract.log"));
    Process writer = writer(log);
    try (Host host = RunBench.localHost(folder, Map.of())) {
      Files.delete(log);
      LogLook look = LogLooker.look(new HostScripts(host), log.toString(), List.of(writer.pid()));
      assertThat(look.is()).isEqualTo(LogLook.Is.MISSING);
      assertThat(look.still()).isEqualTo(writer.pid());
    } finally {
      writer.destroyForcibly().waitFor();
    }
  }

  @Test
  @Hostile("a log whose name has a line end, quotes and shell text")
  void hostileNamesAreNoShellText() throws Exception {
    Path log = folder.toRealPath().resolve("$(touch x)\n'\"; extract.log");
    Files.writeString(log, "1");
    Process writer = writer(log);
    try (Host host = RunBench.localHost(folder, Map.of())) {
      LogLook look = LogLooker.look(new HostScripts(host), log.toString(), List.of());
      assertThat(look.bytes()).isEqualTo(1);
      assertThat(look.real()).isEqualTo(log.toString());
      assertThat(look.isHeld()).isTrue();
      assertThat(folder.resolve("x")).doesNotExist();
    } finally {
      writer.destroyForcibly().waitFor();
    }
  }

  @Test
  @Hostile("a process whose command line and folder hold what no terminal should get")
  void hostileCommandLinesArriveWholeAndAreShownHarmless() throws Exception {
    Path log = folder.resolve("extract.log");
    Path odd = Files.createDirectory(folder.toRealPath().resolve("a\tb\nc"));
    Process job =
        new ProcessBuilder("sh", "-c", "read x", "\u001b[31m\tred\nholder\t1", "--api-key=s3cret")
            .directory(odd.toFile())
            .redirectOutput(log.toFile())
            .start();
    try (Host host = RunBench.localHost(folder, Map.of())) {
      LogLook look = LogLooker.look(new HostScripts(host), log.toString(), List.of());
      assertThat(look.writers()).extracting(HostProcess::pid).containsExactly(job.pid());
      HostProcess seen = look.writers().get(0);
      assertThat(seen.arguments()).contains("\u001b[31m\tred\nholder\t1");
      assertThat(seen.path("out")).hasValue(odd + "/out");
      assertThat(seen.says()).doesNotContain("\u001b", "\n", "s3cret");
    } finally {
      job.destroyForcibly().waitFor();
    }
  }

  @Test
  @Hostile("a user who may not look into processes of others")
  void whoCannotSeeEverythingIsTold() throws Exception {
    Path open = Files.createDirectory(folder.toRealPath().resolve("open"));
    for (Path up : List.of(open, open.getParent())) {
      Files.setPosixFilePermissions(up, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Path log = Files.createFile(open.resolve("extract.log"));
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-r--r--"));
    Path bin = Files.createDirectory(open.resolve("bin"));
    Path sh = bin.resolve("sh");
    Files.writeString(
        sh,
        "#!/bin/sh\nexec "
            + (isRoot()
                ? Tools.find("setpriv") + " --reuid 65534 --regid 65534 --clear-groups"
                : "")
            + " /bin/sh \"$@\"\n");
    Files.setPosixFilePermissions(sh, PosixFilePermissions.fromString("rwxr-xr-x"));
    Process writer = writer(log);
    try (Host host =
        RunBench.localHost(folder, Map.of("PATH", bin + ":" + System.getenv("PATH")))) {
      LogLook look = LogLooker.look(new HostScripts(host), log.toString(), List.of());
      assertThat(look.is()).isEqualTo(LogLook.Is.LOG);
      // Who is nobody special sees his own, and nobody else's.
      assertThat(look.isHeld()).isNotEqualTo(isRoot());
      assertThat(look.someAreHidden()).isTrue();
    } finally {
      writer.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatIsNoLogIsTold() throws IOException {
    try (Host host = RunBench.localHost(folder, Map.of())) {
      HostScripts scripts = new HostScripts(host);
      assertThat(LogLooker.look(scripts, folder + "/none", List.of()).is())
          .isEqualTo(LogLook.Is.MISSING);
      assertThat(LogLooker.look(scripts, folder.toString(), List.of()).is())
          .isEqualTo(LogLook.Is.OTHER);
    }
  }

  @Test
  @Hostile("a host without /proc tools, asked who writes a log")
  void aHostThatCannotSayIsNotTakenForOneWhereNobodyWrites() throws IOException {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    try (Host host =
        new LocalHost("local", Map.of("PATH", tools.toString(), "HOME", folder.toString()))) {
      HostScripts scripts = new HostScripts(host);
      assertThatThrownBy(() -> LogLooker.look(scripts, "/out/x.log", List.of()))
          .isInstanceOf(Failure.class);
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** A process that has the log open for writing, and writes nothing. */
  private static Process writer(Path log) throws IOException {
    return new ProcessBuilder("sleep", "601")
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private Host hostWith(String shell) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin-" + shell));
    Path sh = bin.resolve("sh");
    String applet = shell.equals("busybox") ? " sh" : "";
    Files.writeString(sh, "#!/bin/sh\nexec " + Tools.find(shell) + applet + " \"$@\"\n");
    Files.setPosixFilePermissions(sh, PosixFilePermissions.fromString("rwxr-xr-x"));
    return RunBench.localHost(folder, Map.of("PATH", bin + ":" + System.getenv("PATH")));
  }
}
