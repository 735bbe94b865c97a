package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Identity files in every state, on a real OpenSSH server. */
@Tag("slow")
class IdentityFileTest {
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

  @Test
  void severalFilesAreTriedInTheirOrder() throws Exception {
    KeyMaker.make(user.ssh("one"), "");
    KeyMaker.make(user.ssh("two"), "rsa", "PEM", "");
    user.authorize(KeyMaker.make(user.ssh("three"), ""));
    for (String name : new String[] {"one", "two", "three"}) {
      user.configure("IdentityFile ~/.ssh/" + name);
    }

    user.logIn();

    String log = server.log();
    assertThat(log.lastIndexOf("Accepted publickey")).isPositive();
  }

  @Test
  void tokensAndVariablesInTheNameOfAFileAreFilledIn() throws Exception {
    String name = server.user() + "_" + server.port() + "%";
    Files.createDirectories(home.resolve("keys"));
    user.authorize(KeyMaker.make(home.resolve("keys").resolve(name), ""));
    user.configure("IdentityFile ${EAGLE3_TEST_KEYS}/%r_%p%%");

    user.logIn(
        user.settings()
            .withSshProgram("/nonexistent/ssh")
            .withEnvironment(Map.of("EAGLE3_TEST_KEYS", home + "/keys")));
  }

  @Test
  void refusedFilesAreNamedInTheirOrder() throws Exception {
    KeyMaker.make(user.ssh("one"), "");
    KeyMaker.make(user.ssh("two"), "ecdsa", "PEM", "");
    user.configure("IdentityFile ~/.ssh/two");
    user.configure("IdentityFile ~/.ssh/one");

    Failure failure = user.refusal();

    assertThat(failure.problem())
        .contains("refused " + user.ssh("two") + " (ECDSA), " + user.ssh("one") + " (ED25519);");
    assertThat(failure.tryNext().orElseThrow())
        .startsWith("ssh-copy-id -i " + user.ssh("two") + ".pub ");
  }

  @Test
  @Hostile("a private key that others can read")
  void aKeyThatOthersCanReadIsNotUsedAndTheWayOutIsNamed() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "");
    user.authorize(key);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

    Failure failure = user.refusal();

    assertThat(failure.problem())
        .contains(key + " is open to others (its mode is not 0600), so it is not used");
    assertThat(failure.tryNext()).contains("chmod 600 " + key);
  }

  @Test
  @Hostile("an identity file that is cut, empty, a folder, a pipe or of another program")
  void filesThatAreNoKeysAreNamedAndPassedOver() throws Exception {
    Path whole = KeyMaker.make(user.ssh("whole"), "");
    user.authorize(whole);
    String text = Files.readString(whole);
    Files.writeString(user.ssh("cut"), text.substring(0, text.length() / 2));
    Files.writeString(user.ssh("empty"), "");
    Files.createDirectory(user.ssh("folder"));
    assertThat(new ProcessBuilder("mkfifo", user.ssh("pipe").toString()).start().waitFor())
        .isZero();
    Files.writeString(user.ssh("putty"), "PuTTY-User-Key-File-3: ssh-ed25519\n");
    Files.writeString(user.ssh("noise"), new String(new byte[5000], ISO_8859_1));
    for (String name : new String[] {"cut", "empty", "folder", "pipe", "putty", "noise"}) {
      Path file = user.ssh(name);
      if (Files.isRegularFile(file)) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
      user.configure("IdentityFile " + file);
    }
    user.configure("IdentityFile ~/.ssh/nowhere");

    assertThat(user.refusal().problem())
        .contains(user.ssh("cut") + " cannot be read as a private key")
        .contains(user.ssh("empty") + " cannot be read as a private key")
        .contains(user.ssh("folder") + " cannot be read as a private key")
        .contains(user.ssh("pipe") + " cannot be read as a private key")
        .contains(user.ssh("putty") + " is a key of PuTTY")
        .contains(user.ssh("noise") + " cannot be read as a private key")
        .contains(user.ssh("nowhere") + " does not exist");

    user.configure("IdentityFile " + whole);
    user.logIn();
  }

  @Test
  @Hostile("a .pub file that belongs to another key")
  void aPublicHalfThatBelongsToAnotherKeyIsToldAndTheNextKeyLogsIn() throws Exception {
    Path known = KeyMaker.make(user.ssh("known"), "rsa", "PEM", "");
    user.authorize(known);
    Path locked = KeyMaker.make(user.ssh("locked"), "rsa", "PEM", "secret");
    Files.copy(
        KeyFileReader.beside(known, ".pub"),
        Path.of(locked + ".pub"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    user.configure("IdentityFile " + locked);
    ScriptedPrompter prompter = new ScriptedPrompter("secret");
    user.prompter(prompter);

    assertThat(user.refusal().problem())
        .contains(locked + ".pub is not the public half of " + locked);

    user.configure("IdentityFile " + known);
    user.prompter(new ScriptedPrompter("secret"));
    user.logIn();
  }
}
