package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that cannot come about: each says in one sentence why, and what to try. */
class SshConnectorTest {
  @TempDir Path home;
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void makeIdentity() throws Exception {
    Files.createDirectories(home.resolve(".ssh"));
    OpenSshServer.makeKey("ed25519", home.resolve(".ssh/id_ed25519"));
  }

  @Test
  void aNameThatNobodyHas() {
    Failure failure = failure("root@nosuchhost.invalid");

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.subject()).isEqualTo("root@nosuchhost.invalid");
    assertThat(failure.problem()).contains("nosuchhost.invalid");
    assertThat(failure.tryNext()).contains("getent hosts nosuchhost.invalid");
  }

  @Test
  void aPortWhereNothingListens() throws Exception {
    int port;
    try (ServerSocket socket = listen()) {
      port = socket.getLocalPort();
    }

    Failure failure = failure("root@127.0.0.1:" + port);

    assertThat(failure.problem())
        .isEqualTo(
            "127.0.0.1:"
                + port
                + ": connection refused: nothing listens there, or a firewall says so");
    assertThat(failure.tryNext()).contains("ssh -v -p " + port + " root@127.0.0.1 true");
  }

  @Test
  void aServerThatSpeaksSomethingElse() throws Exception {
    try (ServerSocket socket = listen()) {
      answer(socket, "HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n" + "nothing\r\n".repeat(2000));

      assertThat(failure("root@127.0.0.1:" + socket.getLocalPort()).problem())
          .isEqualTo(
              "127.0.0.1:"
                  + socket.getLocalPort()
                  + ": what answers there does not speak SSH; it says: HTTP/1.1 400 Bad Request");
    }
  }

  @Test
  void aServerThatHangsUp() throws Exception {
    try (ServerSocket socket = listen()) {
      answer(socket, "");

      assertThat(failure("root@127.0.0.1:" + socket.getLocalPort()).problem())
          .isEqualTo(
              "127.0.0.1:"
                  + socket.getLocalPort()
                  + ": hung up without a word of SSH (MaxStartups in its sshd_config, a firewall,"
                  + " or not an SSH server)");
    }
  }

  @Test
  void aServerThatSaysNothing() throws Exception {
    try (ServerSocket socket = listen()) {
      Failure failure =
          failure(
              "root@127.0.0.1:" + socket.getLocalPort(),
              SshSettings.of(home).withLimits(Duration.ofMillis(300), Duration.ofSeconds(5)));

      assertThat(failure.problem())
          .isEqualTo(
              "127.0.0.1:"
                  + socket.getLocalPort()
                  + ": took the connection and said nothing within 0.3 s");
    }
  }

  @Test
  void noKeyToLogInWith() throws Exception {
    Files.delete(home.resolve(".ssh/id_ed25519"));
    Files.delete(home.resolve(".ssh/id_ed25519.pub"));

    Failure failure = failure("root@127.0.0.1:1");

    assertThat(failure.problem())
        .startsWith("no key to log in with: none of " + home.resolve(".ssh/id_ed25519") + ", ")
        .endsWith(" exists; no ssh-agent; there is no terminal to ask for a password");
    assertThat(failure.tryNext().orElseThrow()).contains("ssh-copy-id -p 1 root@127.0.0.1");
  }

  @Test
  void aKeyThatIsMissingOrBrokenOrLockedIsNamed() throws Exception {
    Path locked = home.resolve("locked");
    assertThat(
            new ProcessBuilder(
                    "ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", locked.toString())
                .start()
                .waitFor())
        .isZero();
    Files.writeString(home.resolve("broken"), "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n");
    Path config = home.resolve("config");
    Files.writeString(
        config,
        "Host gpu7\nHostName 127.0.0.1\nPort 1\nIdentityFile \"~/lo cked\"\nIdentityFile ~/locked\n"
            + "IdentityFile ~/broken\n");

    Failure failure = failure("gpu7", SshSettings.of(home).withConfigFile(config));

    assertThat(failure.subject()).isEqualTo("gpu7");
    assertThat(failure.problem())
        .contains(home.resolve("lo cked") + " does not exist")
        .contains(
            home.resolve("locked") + " has a passphrase, and there is no terminal to ask for it")
        .contains(home.resolve("broken") + " cannot be read as a private key");
    assertThat(failure.tryNext()).contains("ssh-add " + home.resolve("locked"));
  }

  @Test
  void aConfigurationThatSshRefusesIsQuoted() throws Exception {
    Path config = Files.writeString(home.resolve("config"), "Host *\n  Nonsense yes\n");

    Failure failure = failure("gpu7", SshSettings.of(home).withConfigFile(config));

    assertThat(failure.problem()).contains("bad configuration options");
  }

  private Failure failure(String target) {
    return failure(target, SshSettings.of(home));
  }

  private Failure failure(String target, SshSettings settings) {
    Failure failure =
        catchThrowableOfType(
            Failure.class, () -> new SshConnector(settings, notes::add).connect(target));
    assertThat(notes).isEmpty();
    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem()).doesNotContain("Exception").doesNotContain("\n");
    return failure;
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  private static void answer(ServerSocket socket, String words) {
    Thread server =
        new Thread(
            () -> {
              try (Socket client = socket.accept()) {
                client.getOutputStream().write(words.getBytes(UTF_8));
                client.getOutputStream().flush();
                if (!words.isEmpty()) {
                  // Until the client hangs up: closing with its words unread would reset the line.
                  client.getInputStream().readAllBytes();
                }
              } catch (IOException gone) {
                // The client has seen enough.
                return;
              }
            });
    server.setDaemon(true);
    server.start();
  }
}
