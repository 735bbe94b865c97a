package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C while a server is connected to that never says a word. */
@Tag("slow")
class InterruptedTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"extract", "tail-log", "status", "verify-shapes", "stop", "wait"})
  @Hostile("Ctrl-C while the server is silent")
  void whoIsInterruptedWhileConnectingIsToldThatNothingWasDone(String command) throws Exception {
    int code = interrupted(command);

    assertThat(code).isEqualTo(130);
    assertThat(Files.readString(folder.resolve("err")))
        .contains("eagle3: interrupted: while connecting to root@127.0.0.1:")
        .contains("nothing was done there");
  }

  @Test
  @Hostile("Ctrl-C while the server is silent, and a program reads JSON Lines")
  void jsonEndsWithAnEnd() throws Exception {
    int code = interrupted("wait", "--json");

    assertThat(code).isEqualTo(130);
    List<String> lines = Files.readAllLines(folder.resolve("out"));
    assertThat(lines).allSatisfy(line -> assertThat(line).startsWith("{\"v\":1,"));
    assertThat(lines.get(lines.size() - 1)).contains("\"type\":\"end\"", "\"exit\":130");
    assertThat(lines.stream().filter(line -> line.contains("\"type\":\"end\""))).hasSize(1);
  }

  @BeforeEach
  void makeKey() throws Exception {
    Path key = Files.createDirectories(folder.resolve(".ssh")).resolve("id_ed25519");
    Process keygen =
        new ProcessBuilder(
                Tools.find("ssh-keygen").toString(),
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                key + "")
            .start();
    assertThat(keygen.waitFor()).isZero();
  }

  /** Starts a command in a process of its own, and interrupts it once it has connected. */
  private int interrupted(String... words) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      silent.setSoTimeout(120_000);
      Process client = spawn(words, "root@127.0.0.1:" + silent.getLocalPort());
      try (Socket connection = silent.accept()) {
        assertThat(connection.isConnected()).isTrue();
        new ProcessBuilder("kill", "-INT", String.valueOf(client.pid())).start().waitFor();
        assertThat(client.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return client.exitValue();
      } finally {
        client.destroyForcibly();
      }
    }
  }

  private Process spawn(String[] words, String host) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.eagle3.cli.Main"));
    command.addAll(List.of(words));
    command.addAll(List.of("--host", host));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOME", folder.toString());
    builder.redirectOutput(folder.resolve("out").toFile());
    builder.redirectError(folder.resolve("err").toFile());
    return builder.start();
  }
}
