package dev.eagle3.host.via;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.FileTreeContract;
import dev.eagle3.host.Command;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScriptsContract;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Scripts and files behind each shell, with the programs of coreutils and of busybox. */
@Tag("slow")
class ViaShellKindsTest {
  @Nested
  class Bash extends Behind {
    @Override
    String command(Path tools) throws IOException {
      program(tools, "sh", Tools.find("bash").toString());
      return "PATH=" + tools + ":$PATH bash";
    }

    @Test
    void theShellIsBash() {
      assertThat(ran("echo ${BASH_VERSION:+bash}")).isEqualTo("bash\n");
    }
  }

  @Nested
  class Busybox extends Behind {
    private static final List<String> APPLETS =
        List.of(
            "sh",
            "cat",
            "chmod",
            "dd",
            "find",
            "head",
            "mv",
            "printf",
            "rm",
            "sha256sum",
            "sleep",
            "stat",
            "tail",
            "test",
            "touch",
            "tr",
            "wc");

    @Override
    String command(Path tools) throws IOException {
      for (String applet : APPLETS) {
        program(tools, applet, busybox() + " " + applet);
      }
      return "PATH=" + tools + " sh";
    }

    /** Not the wrapper of the tools, which needs programs of its own. */
    private static Path busybox() {
      Path unpacked = Path.of("target/tools/root/bin/busybox").toAbsolutePath();
      return Files.isExecutable(unpacked) ? unpacked : Tools.find("busybox");
    }

    @Test
    void theProgramsAreThoseOfBusybox() {
      assertThat(ran("dd --help 2>&1 | head -n 1")).startsWith("BusyBox");
    }
  }

  @Nested
  class DashWithoutFind extends Behind {
    private static final List<String> PROGRAMS =
        List.of(
            "sh",
            "cat",
            "chmod",
            "dd",
            "head",
            "mv",
            "rm",
            "sha256sum",
            "stat",
            "tr",
            "wc",
            "touch");

    @Override
    String command(Path tools) throws IOException {
      for (String program : PROGRAMS) {
        program(tools, program, Tools.find(program).toString());
      }
      return "PATH=" + tools + " sh";
    }

    @Test
    void thereIsReallyNoFind() {
      assertThat(ran("command -v find || echo none")).isEqualTo("none\n");
    }
  }

  /** The contracts behind one shell. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behind implements HostScriptsContract, FileTreeContract {
    private Host host;
    private Path folder;

    /** The command; {@code tools} is an empty folder for programs. */
    abstract String command(Path tools) throws IOException;

    @BeforeAll
    void connect(@TempDir Path tools) throws Exception {
      host =
          new ViaConnector(Map.of("PATH", System.getenv("PATH"))).connect(command(tools), "shell");
    }

    @BeforeEach
    void makeFolder(@TempDir Path made) {
      folder = made;
    }

    @AfterAll
    void disconnect() {
      host.close();
    }

    @Override
    public Host host() {
      return host;
    }

    @Override
    public FileTree tree() {
      return host.files();
    }

    @Override
    public Path folder() {
      return folder;
    }

    static void program(Path tools, String name, String words) throws IOException {
      Path program = tools.resolve(name);
      Files.writeString(program, "#!/bin/sh\nexec " + words + " \"$@\"\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    String ran(String line) {
      return host.run(Command.of(line, Duration.ofMinutes(1))).stdout();
    }
  }
}
