package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a connection is made: what ssh_config says of it, and what stands at the other end. */
@Tag("slow")
class ConnectionOptionsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final List<String> notes = new ArrayList<>();

  @Test
  void aServerOfIpv6IsReached() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).address("::1").start()) {
      SshSettings settings = SshSettings.of(server.clientHome());
      try (Host host = connector(settings).connect(server.target())) {
        assertThat(server.target()).contains("@[::1]:");
        assertThat(host.run(Command.of("echo $SSH_CLIENT", LONG)).stdout()).startsWith("::1 ");
      }
      connector(settings).connect("ssh://" + server.target() + "/").close();
      assertThat(failure("AddressFamily inet", server, settings).problem())
          .isEqualTo(
              "::1 has no address of the kind that AddressFamily inet of ssh_config asks for");
      connector(with("AddressFamily inet6", settings)).connect(server.target()).close();
    }
  }

  @Test
  void theAddressToConnectFromIsFollowed() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).start()) {
      SshSettings settings = SshSettings.of(server.clientHome());
      try (Host host =
          connector(with("BindAddress 127.0.0.9", settings)).connect(server.target())) {
        assertThat(host.run(Command.of("echo $SSH_CLIENT", LONG)).stdout())
            .startsWith("127.0.0.9 ");
      }
      assertThat(failure("BindAddress 192.0.2.1", server, settings).problem())
          .endsWith("(BindAddress 192.0.2.1 of ssh_config)");
      assertThat(failure("BindAddress no.invalid", server, settings).problem())
          .isEqualTo("BindAddress no.invalid is no address");
    }
  }

  @Test
  @Hostile("a server that is silent for longer than ConnectTimeout")
  void theTimeToConnectIsFollowed() throws Exception {
    try (ServerSocket silent = listen()) {
      assertThat(problem(silent, "ConnectTimeout 1"))
          .endsWith(": took the connection and said nothing within 1 s");
    }
  }

  @Test
  @Hostile("a server that freezes, and ServerAliveInterval")
  void signsOfLifeAreAskedForAsOftenAsSshConfigSays() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).start()) {
      SshSettings settings =
          with(
              "ServerAliveInterval 1\nServerAliveCountMax 2",
              SshSettings.of(server.clientHome()).withHeartbeat(Duration.ofHours(1), 3));
      try (Host host = connector(settings).connect(server.target())) {
        server.freeze();
        CommandResult result = host.run(Command.of("echo never", LONG));
        server.thaw();

        assertThat(result.ending())
            .isEqualTo(new Ending.Lost("the host gave no sign of life any more"));
      }
    }
  }

  @Test
  @Hostile("a server at its MaxStartups")
  void aServerThatTakesNoMoreIsToldFromOneThatIsNone() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).configuration("MaxStartups 1").start();
        Socket idle = new Socket(server.host(), server.port())) {
      assertThat(idle.getInputStream().read()).isEqualTo('S');

      Failure failure =
          catchThrowableOfType(
              Failure.class,
              () ->
                  connector(SshSettings.of(server.clientHome())).connect(server.target()).close());

      assertThat(failure.problem()).contains("MaxStartups").doesNotContain("does not speak SSH");
    }
  }

  @Test
  @Hostile("a server that stops in the middle of the first words")
  void aServerThatClosesAfterItsVersionIsNamed() throws Exception {
    try (ServerSocket socket = listen()) {
      answer(socket, "SSH-2.0-Cut\r\n".getBytes(UTF_8), true);

      assertThat(problem(socket, "ConnectTimeout 20"))
          .contains("the key exchange failed")
          .doesNotContain("Exception");
    }
  }

  @Test
  @Hostile("a server that speaks SSH and then garbage")
  void aServerThatSendsGarbageAfterItsVersionIsNamed() throws Exception {
    byte[] words = new byte[100_000];
    java.util.Arrays.fill(words, (byte) 0xff);
    System.arraycopy("SSH-2.0-Mad\r\n".getBytes(UTF_8), 0, words, 0, 13);
    try (ServerSocket socket = listen()) {
      answer(socket, words, false);

      assertThat(problem(socket, "ConnectTimeout 20"))
          .contains("the key exchange failed: ")
          .doesNotContain("Exception");
    }
  }

  @Test
  @Hostile("a server of SSH 1")
  void aServerOfTheOldProtocolIsNamed() throws Exception {
    try (ServerSocket socket = listen()) {
      answer(socket, "SSH-1.5-Old\r\n".getBytes(UTF_8), false);

      assertThat(problem(socket, "ConnectTimeout 20")).doesNotContain("Exception");
    }
  }

  @Test
  @Hostile("a server without an algorithm in common")
  void aServerWithoutAnAlgorithmInCommonIsNamed() throws Exception {
    try (OpenSshServer server =
        OpenSshServer.in(folder).configuration("Ciphers 3des-cbc").start()) {
      Failure failure =
          catchThrowableOfType(
              Failure.class,
              () ->
                  connector(SshSettings.of(server.clientHome())).connect(server.target()).close());

      assertThat(failure.problem())
          .contains(
              "no encryption algorithms (client to server) in common; the server has only 3des-cbc");
    }
  }

  @Test
  void anInterfaceThatIsNotThereIsNamed() {
    Failure failure =
        catchThrowableOfType(
            Failure.class,
            () -> connector(SshSettings.of(folder)).connect("fe80::1%nosuch").close());

    assertThat(failure.problem()).isEqualTo("this machine has no network interface nosuch");
  }

  @Test
  void timesHaveUnits() {
    assertThat(SshTimes.seconds("90")).hasValue(90);
    assertThat(SshTimes.seconds("1m30")).hasValue(90);
    assertThat(SshTimes.seconds("2H")).hasValue(7200);
    assertThat(SshTimes.seconds("1w2d3h4m5s")).hasValue(788645);
    for (String wrong : List.of("", "x", "m", "1x", "-1", "99999999999", "1.5", "9".repeat(50))) {
      assertThat(SshTimes.seconds(wrong)).isEqualTo(OptionalLong.empty());
    }
  }

  private SshConnector connector(SshSettings settings) {
    return new SshConnector(settings, notes::add);
  }

  private SshSettings with(String lines, SshSettings settings) throws IOException {
    Path config = Files.writeString(Files.createTempFile(folder, "config", ""), lines + "\n");
    return settings.withConfigFile(config);
  }

  private Failure failure(String lines, OpenSshServer server, SshSettings settings)
      throws IOException {
    SshSettings changed = with(lines, settings);
    Failure failure =
        catchThrowableOfType(
            Failure.class, () -> connector(changed).connect(server.target()).close());
    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    return failure;
  }

  private String problem(ServerSocket socket, String lines) throws Exception {
    Files.createDirectories(folder.resolve(".ssh"));
    if (!Files.exists(folder.resolve(".ssh/id_ed25519"))) {
      KeyMaker.make(folder.resolve(".ssh/id_ed25519"), "");
    }
    SshSettings settings = with(lines, SshSettings.of(folder));
    Failure failure =
        catchThrowableOfType(
            Failure.class,
            () -> connector(settings).connect("root@127.0.0.1:" + socket.getLocalPort()).close());
    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    return failure.problem();
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  private static void answer(ServerSocket socket, byte[] words, boolean hangUp) {
    Thread server =
        new Thread(
            () -> {
              try (Socket client = socket.accept()) {
                client.getOutputStream().write(words);
                client.getOutputStream().flush();
                if (hangUp) {
                  client.shutdownOutput();
                }
                client.getInputStream().readAllBytes();
              } catch (IOException gone) {
                // The client has seen enough.
                return;
              }
            });
    server.setDaemon(true);
    server.start();
  }
}
