package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Command;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of the key that a real server shows. */
@Tag("slow")
class HostKeyTest {
  @TempDir static Path serverFolder;
  private static OpenSshServer server;
  private static String allKeys;

  private final List<String> notes = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    server = OpenSshServer.in(serverFolder).hostKeys("ed25519", "ecdsa", "rsa").start();
    allKeys = Files.readString(server.knownHosts());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void know() throws Exception {
    Files.writeString(server.knownHosts(), allKeys);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"})
  void theServerIsAskedForTheKeyThatIsKnown(String type) throws Exception {
    keepOnly(type);

    assertThat(connects(settings())).isTrue();
  }

  @Test
  void hashedNamesAreKnownToo() throws Exception {
    run(Tools.find("ssh-keygen").toString(), "-H", "-f", server.knownHosts().toString());
    assertThat(Files.readString(server.knownHosts())).startsWith("|1|").doesNotContain("127");

    assertThat(connects(settings())).isTrue();
  }

  @Test
  void anUnknownKeyIsRefusedWithItsFingerprint() throws Exception {
    Files.writeString(server.knownHosts(), "elsewhere " + key("ed25519") + "\n");

    Failure failure = refusal(settings());

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.subject()).isEqualTo(server.target());
    assertThat(failure.problem())
        .isEqualTo(
            "127.0.0.1:"
                + server.port()
                + ": its host key ED25519 "
                + fingerprint("ed25519")
                + " is not in "
                + server.knownHosts());
    assertThat(failure.tryNext().orElseThrow()).contains("--accept-new-host-key");
    assertThat(Files.readString(server.knownHosts())).startsWith("elsewhere").hasLineCount(1);
  }

  @Test
  void anAcceptedKeyIsWrittenDownAndKnownFromThenOn() throws Exception {
    Files.writeString(server.knownHosts(), "elsewhere " + key("ed25519"));
    Path config = Files.writeString(serverFolder.resolve("plain"), "HashKnownHosts no\n");

    assertThat(connects(settings().withConfigFile(config).acceptingNewHostKeys())).isTrue();

    assertThat(Files.readString(server.knownHosts()))
        .isEqualTo(
            "elsewhere "
                + key("ed25519")
                + "\n[127.0.0.1]:"
                + server.port()
                + " "
                + key("ed25519")
                + "\n");
    assertThat(notes)
        .containsExactly(
            "127.0.0.1:"
                + server.port()
                + ": new host key ED25519 "
                + fingerprint("ed25519")
                + ", now in "
                + server.knownHosts());
    assertThat(connects(settings())).isTrue();
    assertThat(notes).hasSize(1);
  }

  @Test
  void aFirstKnownHostsFileIsForTheUserAlone() throws Exception {
    Path home = serverFolder.resolve("newcomer");
    Files.createDirectories(home.resolve(".ssh"));
    Files.copy(server.identity(), home.resolve(".ssh/id_ed25519"));

    assertThat(connects(SshSettings.of(home).acceptingNewHostKeys())).isTrue();

    assertThat(Files.getPosixFilePermissions(home.resolve(".ssh/known_hosts"))).hasSize(2);
  }

  @Test
  void aChangedKeyIsRefusedEvenWhereNewOnesAreAccepted() throws Exception {
    OpenSshServer.makeKey("ed25519", serverFolder.resolve("stranger"));
    String stranger = Files.readString(serverFolder.resolve("stranger.pub"), UTF_8);
    String before = "# first line\n[127.0.0.1]:" + server.port() + " " + stranger;
    Files.writeString(server.knownHosts(), before);

    Failure failure = refusal(settings().acceptingNewHostKeys());

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem())
        .contains("its host key has changed")
        .contains("offers ED25519 " + fingerprint("ed25519"))
        .contains(
            server.knownHosts()
                + ":2 has ED25519 "
                + fingerprintOf(serverFolder.resolve("stranger.pub")));
    assertThat(Files.readString(server.knownHosts())).isEqualTo(before);

    // What it says to try is a command that works.
    String command = failure.tryNext().orElseThrow();
    run("sh", "-c", command.substring(command.indexOf("ssh-keygen")));
    assertThat(connects(settings().acceptingNewHostKeys())).isTrue();
  }

  @Test
  void aServerThatHidesItsKnownKeyIsRefused() throws Exception {
    // known_hosts has a type of key that the server does not have.
    OpenSshServer.makeKey("ed25519", serverFolder.resolve("other"));
    Path folder = serverFolder.resolve("rsa-only");
    try (OpenSshServer rsaOnly = OpenSshServer.in(folder).hostKeys("rsa").start()) {
      Files.writeString(
          rsaOnly.knownHosts(),
          "[127.0.0.1]:"
              + rsaOnly.port()
              + " "
              + Files.readString(serverFolder.resolve("other.pub")));

      Failure failure =
          catchThrowableOfType(
              Failure.class,
              () ->
                  connector(SshSettings.of(rsaOnly.clientHome()).acceptingNewHostKeys())
                      .connect(rsaOnly.target()));

      assertThat(failure.problem()).contains("has changed: it offers RSA SHA256:");
    }
  }

  @Test
  void aRevokedKeyIsRefused() throws Exception {
    Files.writeString(server.knownHosts(), allKeys + "@revoked * " + key("ed25519") + "\n");

    assertThat(refusal(settings()).problem())
        .contains("its key ED25519 " + fingerprint("ed25519") + " is revoked in")
        .contains(server.knownHosts() + ":4");
  }

  @Test
  void aKeyThatIsKnownWithoutThePortIsGoodToo() throws Exception {
    // OpenSSH takes it as well.
    Files.writeString(server.knownHosts(), "127.0.0.1 " + key("ed25519") + "\n");

    assertThat(connects(settings())).isTrue();
  }

  private SshSettings settings() {
    return SshSettings.of(server.clientHome());
  }

  private SshConnector connector(SshSettings settings) {
    return new SshConnector(settings, notes::add);
  }

  private boolean connects(SshSettings settings) {
    try (Host host = connector(settings).connect(server.target())) {
      return host.run(Command.of("true", Duration.ofMinutes(1))).succeeded();
    }
  }

  private Failure refusal(SshSettings settings) {
    return catchThrowableOfType(
        Failure.class, () -> connector(settings).connect(server.target()).close());
  }

  private void keepOnly(String type) throws Exception {
    Files.writeString(
        server.knownHosts(),
        String.join("\n", allKeys.lines().filter(line -> line.contains(" " + type + " ")).toList())
            + "\n");
    assertThat(Files.readAllLines(server.knownHosts())).hasSize(1);
  }

  private static String key(String type) throws Exception {
    String line = Files.readString(server.hostKey(type));
    return line.substring(0, line.lastIndexOf(' '));
  }

  private static String fingerprint(String type) throws Exception {
    return fingerprintOf(server.hostKey(type));
  }

  /** As ssh-keygen itself prints it: size, fingerprint, comment, type. */
  private static String fingerprintOf(Path key) throws Exception {
    String line = run(Tools.find("ssh-keygen").toString(), "-l", "-f", key.toString());
    return line.substring(line.indexOf("SHA256:"), line.indexOf(' ', line.indexOf("SHA256:")));
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
