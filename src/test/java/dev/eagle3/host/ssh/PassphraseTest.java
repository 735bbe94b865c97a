package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys behind a passphrase, on a real OpenSSH server. */
@Tag("slow")
class PassphraseTest {
  @TempDir static Path serverFolder;
  private static OpenSshServer server;

  @TempDir Path home;
  private LoginFixture user;

  @BeforeAll
  static void start() throws Exception {
    server = LoginFixture.start(serverFolder, "MaxAuthTries 20");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void know() throws Exception {
    user = new LoginFixture(server, LoginFixture.authorized(serverFolder), home);
  }

  @ParameterizedTest
  @CsvSource({
    "ed25519,RFC4716,aes256-ctr",
    "ed25519,RFC4716,aes128-cbc",
    "ed25519,RFC4716,aes256-gcm@openssh.com",
    "ecdsa,RFC4716,aes256-ctr",
    "rsa,RFC4716,aes256-ctr",
    "rsa,PEM,aes256-ctr",
    "ecdsa,PEM,aes256-ctr",
    "rsa,PKCS8,aes256-ctr",
    "ecdsa,PKCS8,aes256-ctr",
  })
  void aLockedKeyOfThisKindLogsIn(String type, String format, String cipher) throws Exception {
    Path key = KeyMaker.make(user.ssh("id_" + type), type, format, "pass wörd", "-Z", cipher);
    user.authorize(key);
    ScriptedPrompter prompter = new ScriptedPrompter("pass wörd");
    user.prompter(prompter);

    user.logIn();

    assertThat(prompter.questions()).containsExactly("passphrase of " + key + ": ");
    assertThat(prompter.isWiped()).isTrue();
  }

  @Test
  void aPemKeyWhosePublicHalfIsNowhereIsAskedForWhenItsTurnComes() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_rsa"), "rsa", "PEM", "secret");
    user.authorize(key);
    Files.delete(Path.of(key + ".pub"));
    user.prompter(new ScriptedPrompter("secret"));

    user.logIn();
  }

  @Test
  void nobodyIsAskedWhenAnotherKeyLogsIn() throws Exception {
    KeyMaker.make(user.ssh("locked"), "secret");
    Path open = KeyMaker.make(user.ssh("open"), "");
    user.authorize(open);
    user.configure("IdentityFile ~/.ssh/locked");
    user.configure("IdentityFile ~/.ssh/open");
    ScriptedPrompter prompter = new ScriptedPrompter();
    user.prompter(prompter);

    user.logIn();

    assertThat(prompter.questions()).isEmpty();
  }

  @Test
  @Hostile("a wrong passphrase, twice")
  void aWrongPassphraseIsToldAndAskedAgain() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "secret");
    user.authorize(key);
    ScriptedPrompter prompter = new ScriptedPrompter("wrong", "also wrong", "secret");
    user.prompter(prompter);

    user.logIn();

    assertThat(prompter.questions())
        .containsExactly(
            "passphrase of " + key + ": ",
            "wrong passphrase (2 left); passphrase of " + key + ": ",
            "wrong passphrase (1 left); passphrase of " + key + ": ");
    assertThat(prompter.isWiped()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"RFC4716", "PEM", "PKCS8"})
  @Hostile("a wrong passphrase three times, with a second key behind it")
  void afterThreeWrongPassphrasesTheNextKeyHasItsTurn(String format) throws Exception {
    Path locked = KeyMaker.make(user.ssh("locked"), "rsa", format, "secret");
    user.authorize(locked);
    user.configure("IdentityFile ~/.ssh/locked");
    user.configure("PasswordAuthentication no");
    user.configure("KbdInteractiveAuthentication no");
    user.prompter(new ScriptedPrompter("a", "b", "c", "secret"));

    assertThat(user.refusal().problem()).contains(locked + ": wrong passphrase, 3 times");

    Path open = KeyMaker.make(user.ssh("open"), "");
    user.authorize(open);
    user.configure("IdentityFile ~/.ssh/open");
    user.prompter(new ScriptedPrompter("a", "b", "c"));
    user.logIn();
  }

  @Test
  void withoutATerminalTheKeyAndSshAddAreNamed() throws Exception {
    KeyMaker.make(user.ssh("id_rsa"), "rsa", "PEM", "");
    Path locked = KeyMaker.make(user.ssh("id_ed25519"), "secret");
    user.authorize(locked);

    Failure failure = user.refusal();

    assertThat(failure.problem())
        .contains(locked + " has a passphrase, and there is no terminal to ask for it");
    assertThat(failure.tryNext()).contains("ssh-add " + locked);
  }

  @Test
  void batchModeForbidsToAsk() throws Exception {
    Path locked = KeyMaker.make(user.ssh("id_ed25519"), "secret");
    user.authorize(locked);
    user.configure("BatchMode yes");
    ScriptedPrompter prompter = new ScriptedPrompter("secret");
    user.prompter(prompter);

    assertThat(user.refusal().problem())
        .contains(locked + " has a passphrase, and BatchMode of ssh_config forbids to ask for it");
    assertThat(prompter.questions()).isEmpty();
  }

  @Test
  void anUnlockedKeyStaysUnlockedForFurtherConnections() throws Exception {
    user.authorize(KeyMaker.make(user.ssh("id_ed25519"), "secret"));
    ScriptedPrompter prompter = new ScriptedPrompter("secret");
    user.prompter(prompter);
    SshConnector connector = new SshConnector(user.settings(), note -> {});

    for (int turn = 0; turn < 3; turn++) {
      try (Host host = connector.connect(server.target())) {
        assertThat(host.name()).isEqualTo(server.target());
      }
    }

    assertThat(prompter.questions()).hasSize(1);
  }

  @Test
  void manyRoundsOfBcryptAreWorkedOff() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "ed25519", "RFC4716", "secret", "-a", "300");
    user.authorize(key);
    user.prompter(new ScriptedPrompter("secret"));

    user.logIn();
  }

  @Test
  @Hostile("a key file that wants millions of rounds of bcrypt")
  void aKeyThatWantsTooManyRoundsIsNotWorkedOn() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "secret");
    user.authorize(key);
    String text = Files.readString(key);
    String body = text.lines().filter(line -> !line.startsWith("-")).reduce("", String::concat);
    byte[] bytes = Base64.getDecoder().decode(body);
    // magic 15, "aes256-ctr" 4+10, "bcrypt" 4+6, options 4 with salt 4+16, then the rounds.
    bytes[63] = 0x70;
    Files.writeString(
        key,
        "-----BEGIN OPENSSH PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(70, new byte[] {'\n'}).encodeToString(bytes)
            + "\n-----END OPENSSH PRIVATE KEY-----\n");
    ScriptedPrompter prompter = new ScriptedPrompter("secret");
    user.prompter(prompter);

    assertThat(user.refusal().problem())
        .contains(key + " is locked with 1879048", "rounds of bcrypt, more than 4096");
    assertThat(prompter.questions()).noneMatch(question -> question.contains("passphrase"));
  }

  @Test
  void aPassphraseThatIsNotGivenLeavesTheOtherWays() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "secret");
    user.authorize(key);
    user.configure("PasswordAuthentication no");
    user.prompter(new ScriptedPrompter());

    assertThat(user.refusal().problem()).contains(key + " has a passphrase, which was not given");
  }

  @Test
  @Hostile("a server that hangs up while a person types")
  void aServerThatHangsUpWhileAPersonTypesIsToldOnce(@TempDir Path impatientFolder)
      throws Exception {
    try (OpenSshServer impatient = LoginFixture.start(impatientFolder, "LoginGraceTime 1")) {
      Path authorized = LoginFixture.authorized(impatientFolder);
      LoginFixture waiting = new LoginFixture(impatient, authorized, home.resolve("waiting"));
      waiting.authorize(KeyMaker.make(waiting.ssh("id_ed25519"), "secret"));
      List<String> asked = new ArrayList<>();
      waiting.prompter(
          new Prompter() {
            @Override
            public Optional<char[]> secret(String question) {
              asked.add(question);
              Await.until(() -> impatient.connections() == 0);
              return Optional.of("secret".toCharArray());
            }

            @Override
            public Optional<String> line(String question) {
              return Optional.empty();
            }
          });

      Failure failure = waiting.refusal();

      assertThat(asked).hasSize(1);
      assertThat(failure.problem()).contains("login as " + impatient.user());
    }
  }
}
