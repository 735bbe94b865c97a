package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Command;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScriptsContract;
import dev.eagle3.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Scripts on a real OpenSSH server, under login shells of every kind, which print too. */
@Tag("slow")
class LoginShellTest {
  @Nested
  class BashThatPrintsALine extends UnderShell {
    BashThatPrintsALine() {
      super("bash", ".bashrc", "echo Welcome to gpu7\n");
    }

    @Test
    void theStartUpFileIsReallyRead() {
      assertThat(ran("true")).isEqualTo("Welcome to gpu7\n");
    }
  }

  @Nested
  class BashThatPrintsWithoutALineEndAndAtTheEnd extends UnderShell {
    BashThatPrintsWithoutALineEndAndAtTheEnd() {
      super("bash", ".bashrc", "printf welcome; trap 'echo farewell' EXIT\n");
    }

    @Test
    void theStartUpFileIsReallyRead() {
      assertThat(ran("true; true")).isEqualTo("welcomefarewell\n");
    }
  }

  @Nested
  class Dash extends UnderShell {
    Dash() {
      super("dash", ".profile", "");
    }
  }

  @Nested
  class Tcsh extends UnderShell {
    Tcsh() {
      super("tcsh", ".tcshrc", "printf welcome\n");
    }

    @Test
    void theStartUpFileIsReallyReadByThatShell() {
      assertThat(ran("echo $tcsh:q | cut -c1-1")).isEqualTo("welcome6\n");
    }
  }

  @Nested
  class BashWhereShIsBusybox extends UnderShell {
    BashWhereShIsBusybox() {
      super("bash", ".bashrc", shIs("busybox", "sh"));
    }

    @Test
    void shIsReallyBusybox() {
      assertThat(ran("sh --help 2>&1 | head -n 1")).startsWith("BusyBox");
    }
  }

  @Nested
  class BashWhereShIsBash extends UnderShell {
    BashWhereShIsBash() {
      super("bash", ".bashrc", shIs("bash"));
    }

    @Test
    void shIsReallyBash() {
      assertThat(ran("sh -c 'echo ${BASH_VERSION:+bash}'")).isEqualTo("bash\n");
    }
  }

  /** The contract under one login shell. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class UnderShell implements HostScriptsContract {
    private final String shell;
    private final String startUpFile;
    private final String startUp;
    private OpenSshServer server;
    private Host host;
    private Path folder;

    UnderShell(String shell, String startUpFile, String startUp) {
      this.shell = shell;
      this.startUpFile = startUpFile;
      this.startUp = startUp;
    }

    @BeforeAll
    void connect(@TempDir Path serverFolder) throws Exception {
      server = OpenSshServer.in(serverFolder).loginShell(Tools.find(shell)).start();
      Files.writeString(server.home().resolve(startUpFile), startUp);
      host =
          new SshConnector(SshSettings.of(server.clientHome()), note -> {})
              .connect(server.target());
    }

    @BeforeEach
    void makeFolder(@TempDir Path made) {
      folder = made;
    }

    @AfterAll
    void disconnect() {
      host.close();
      server.close();
    }

    @Override
    public Host host() {
      return host;
    }

    @Override
    public Path folder() {
      return folder;
    }

    String ran(String line) {
      return host.run(Command.of(line, Duration.ofMinutes(1))).stdout();
    }

    /** A start-up file that puts another {@code sh} first on PATH. */
    static String shIs(String... words) {
      String program = Tools.find(words[0]) + (words.length > 1 ? " " + words[1] : "");
      return "mkdir -p ~/bin\n"
          + "[ -x ~/bin/sh ] || { echo '#!/bin/dash' >~/bin/sh.new\n"
          + ("echo 'exec " + program + " \"$@\"' >>~/bin/sh.new\n")
          + "chmod +x ~/bin/sh.new; mv ~/bin/sh.new ~/bin/sh; }\n"
          + "PATH=~/bin:$PATH\n";
    }
  }
}
