package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fixture against OpenSSH's own client: what other tests take for granted. */
@Tag("slow")
class OpenSshServerTest {
  @TempDir Path folder;

  @Test
  void sshLogsInWithTheKeyAndStartsInTheHomeOfTheTest() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).environment("LANG", "C").start()) {
      Files.writeString(server.home().resolve(".bashrc"), "echo from the start-up file\n");

      String said = ssh(server, "pwd; echo \"$HOME $LANG\"").finished();

      assertThat(said)
          .isEqualTo("from the start-up file\n" + server.home() + "\n" + server.home() + " C\n");
    }
  }

  @Test
  void aCutConnectionEndsTheClient() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).start()) {
      Ssh client = ssh(server, "echo up; exec sleep 600");
      assertThat(client.readLine()).isEqualTo("up");

      server.cutConnections();

      assertThat(client.process.waitFor()).isEqualTo(255);
      assertThat(server.connections()).isZero();
    }
  }

  @Test
  void whatItsSessionsStartedEndsWithIt() throws Exception {
    List<Long> started = new ArrayList<>();
    try (OpenSshServer server = OpenSshServer.in(folder).start()) {
      Ssh left = ssh(server, "setsid sleep 600 >/dev/null 2>&1 </dev/null & echo $!");
      started.add(Long.parseLong(left.readLine()));
      assertThat(left.process.waitFor()).isZero();
      Ssh running = ssh(server, "echo $$; exec sleep 600");
      started.add(Long.parseLong(running.readLine()));
      assertThat(started).allMatch(pid -> ProcessHandle.of(pid).isPresent());
    }
    Await.until(
        () ->
            started.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .noneMatch(ProcessHandle::isAlive));
  }

  private static Ssh ssh(OpenSshServer server, String command) throws IOException {
    List<String> line =
        List.of(
            Tools.find("ssh").toString(),
            "-F",
            "none",
            "-i",
            server.identity().toString(),
            "-p",
            String.valueOf(server.port()),
            "-o",
            "UserKnownHostsFile=" + server.knownHosts(),
            "-o",
            "BatchMode=yes",
            server.user() + "@" + server.host(),
            command);
    return new Ssh(new ProcessBuilder(line).redirectErrorStream(true).start());
  }

  private record Ssh(Process process) {
    String readLine() throws IOException {
      return new java.io.BufferedReader(
              new java.io.InputStreamReader(process.getInputStream(), UTF_8))
          .readLine();
    }

    String finished() throws IOException {
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
