package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Await;
import dev.eagle3.host.Command;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.junit.jupiter.params.provider.CsvSource;

/** Logging in on a real OpenSSH server, with every kind of key file. */
@Tag("slow")
class LoginTest {
  @TempDir static Path serverFolder;
  private static OpenSshServer server;
  private static Path authorized;

  @TempDir Path home;

  @BeforeAll
  static void start() throws Exception {
    authorized = serverFolder.resolve("authorized");
    server =
        OpenSshServer.in(serverFolder)
            .configuration("AuthorizedKeysFile " + authorized)
            .configuration("MaxAuthTries 20")
            .start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void know() throws Exception {
    Files.writeString(authorized, "");
    Files.createDirectories(home.resolve(".ssh"));
    Files.copy(server.knownHosts(), home.resolve(".ssh/known_hosts"));
  }

  @ParameterizedTest
  @CsvSource({
    "id_ed25519,ed25519,256,RFC4716",
    "id_ecdsa,ecdsa,256,RFC4716",
    "id_ecdsa,ecdsa,384,RFC4716",
    "id_ecdsa,ecdsa,521,RFC4716",
    "id_rsa,rsa,3072,RFC4716",
    "id_rsa,rsa,2048,PEM",
    "id_rsa,rsa,2048,PKCS8",
    "id_ecdsa,ecdsa,256,PEM",
    "id_ecdsa,ecdsa,256,PKCS8",
  })
  void aKeyFileOfThisKindLogsIn(String name, String type, String bits, String format)
      throws Exception {
    authorize(makeKey(name, type, bits, format, ""));

    try (Host host = connect()) {
      assertThat(host.run(Command.of("echo in", Duration.ofMinutes(1))).stdout()).isEqualTo("in\n");
    }
  }

  @Test
  void theSecondKeyIsTriedWhenTheFirstIsRefused() throws Exception {
    makeKey("id_ed25519", "ed25519", "256", "RFC4716", "");
    authorize(makeKey("id_rsa", "rsa", "2048", "RFC4716", ""));

    try (Host host = connect()) {
      assertThat(host.name()).isEqualTo(server.target());
    }
  }

  @Test
  void refusedKeysAreNamedAndWhatElseWouldDo() throws Exception {
    makeKey("id_ed25519", "ed25519", "256", "RFC4716", "");
    makeKey("id_ecdsa", "ecdsa", "256", "RFC4716", "secret");
    makeKey("id_rsa", "rsa", "2048", "RFC4716", "");

    Failure failure = catchThrowableOfType(Failure.class, this::connect);

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem())
        .isEqualTo(
            "127.0.0.1:"
                + server.port()
                + ": login as "
                + server.user()
                + ": refused "
                + home.resolve(".ssh/id_ed25519")
                + " (ED25519), "
                + home.resolve(".ssh/id_ecdsa")
                + " (ECDSA), "
                + home.resolve(".ssh/id_rsa")
                + " (RSA); the server takes keyboard-interactive, password, publickey; there is no"
                + " terminal to ask for a password");
    assertThat(failure.tryNext())
        .contains(
            "ssh-copy-id -i "
                + home.resolve(".ssh/id_ed25519.pub")
                + " -p "
                + server.port()
                + " "
                + server.user()
                + "@127.0.0.1");
  }

  @Test
  @Hostile("a server that wants two keys")
  void twoKeysLogInWhereTwoAreWanted(@TempDir Path strictFolder) throws Exception {
    try (OpenSshServer strict =
        LoginFixture.start(strictFolder, "AuthenticationMethods publickey,publickey")) {
      LoginFixture user =
          new LoginFixture(strict, LoginFixture.authorized(strictFolder), home.resolve("strict"));
      Path one = KeyMaker.make(user.ssh("id_ed25519"), "");
      user.authorize(one);
      assertThat(user.refusal().problem())
          .contains("took " + one + " (ED25519) and wants more; the server takes publickey");

      user.authorize(KeyMaker.make(user.ssh("id_rsa"), "rsa", "PEM", ""));
      user.logIn();
    }
  }

  @Test
  @Hostile("a banner that tries to steer the terminal")
  void theBannerOfAServerIsToldWhenItRefuses(@TempDir Path loudFolder) throws Exception {
    Path banner = Files.writeString(home.resolve("banner"), "closed \u001b[2Juntil noon\n");
    try (OpenSshServer loud = LoginFixture.start(loudFolder, "Banner " + banner)) {
      LoginFixture user =
          new LoginFixture(loud, LoginFixture.authorized(loudFolder), home.resolve("loud"));
      KeyMaker.make(user.ssh("id_ed25519"), "");

      assertThat(user.refusal().problem())
          .contains("; it says: closed ")
          .contains("until noon; the server takes ")
          .doesNotContain("\u001b");
    }
  }

  @Test
  void aConnectionThatIsUsedForNothingLeavesNothingBehind() throws Exception {
    authorize(makeKey("id_ed25519", "ed25519", "256", "RFC4716", ""));
    List<Host> hosts = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      hosts.add(connect());
    }
    assertThat(server.connections()).isEqualTo(3);

    hosts.forEach(Host::close);

    Await.until(() -> server.connections() == 0);
  }

  private Host connect() {
    return new SshConnector(SshSettings.of(home), note -> {}).connect(server.target());
  }

  private Path makeKey(String name, String type, String bits, String format, String passphrase)
      throws Exception {
    Path file = home.resolve(".ssh").resolve(name);
    List<String> command =
        List.of(
            Tools.find("ssh-keygen").toString(),
            "-q",
            "-t",
            type,
            "-b",
            bits,
            "-m",
            format,
            "-N",
            passphrase,
            "-f",
            file.toString());
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    return file;
  }

  private static void authorize(Path key) throws Exception {
    Files.writeString(
        authorized, Files.readString(Path.of(key + ".pub")), StandardOpenOption.APPEND);
  }
}
