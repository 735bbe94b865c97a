package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates of users, on a real OpenSSH server that trusts an authority. */
@Tag("slow")
class CertificateLoginTest {
  @TempDir static Path serverFolder;
  private static OpenSshServer server;
  private static Path authority;

  @TempDir Path home;
  private LoginFixture user;

  @BeforeAll
  static void start() throws Exception {
    authority = KeyMaker.make(serverFolder.resolve("authority"), "");
    server = LoginFixture.start(serverFolder, "TrustedUserCAKeys " + authority + ".pub");
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
  @ValueSource(strings = {"ed25519", "ecdsa", "rsa"})
  void aCertificateBesideTheKeyLogsIn(String type) throws Exception {
    Path key = KeyMaker.make(user.ssh("id_" + type), type, "RFC4716", "");
    KeyMaker.certify(authority, key, server.user(), "-1h:+1h");

    user.logIn();
  }

  @Test
  void aCertificateElsewhereLogsInWhenTheConfigurationNamesIt() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "");
    Path certificate = KeyMaker.certify(authority, key, server.user(), "always:forever");
    Files.move(certificate, home.resolve("mine"));
    user.configure("CertificateFile ~/mine");

    user.logIn();
  }

  @Test
  void aCertificateForALockedKeyAsksForThePassphrase() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "secret");
    KeyMaker.certify(authority, key, server.user(), "-1h:+1h");
    ScriptedPrompter prompter = new ScriptedPrompter("secret");
    user.prompter(prompter);

    user.logIn();

    assertThat(prompter.questions()).containsExactly("passphrase of " + key + ": ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ed25519", "rsa"})
  void aCertificateThatTheAgentHoldsLogsIn(String type) throws Exception {
    Path key = KeyMaker.make(home.resolve("key"), type, "RFC4716", "");
    KeyMaker.certify(authority, key, server.user(), "-1h:+1h");
    try (SshAgentProcess agent = SshAgentProcess.start(home)) {
      agent.add(key);
      user.agent(agent.socket());

      user.logIn();
    }
  }

  @Test
  void aCertificateInAFileGoesWithTheKeyInTheAgent() throws Exception {
    Path key = KeyMaker.make(home.resolve("key"), "");
    try (SshAgentProcess agent = SshAgentProcess.start(home)) {
      agent.add(key);
      user.agent(agent.socket());
      KeyMaker.certify(authority, key, server.user(), "-1h:+1h");
      user.configure("CertificateFile ~/key-cert.pub");

      user.logIn();
    }
  }

  @Test
  @Hostile("an expired certificate")
  void anExpiredCertificateFallsBackToTheKeyAndIsNamed() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "");
    Path certificate = KeyMaker.certify(authority, key, server.user(), "20200101:20200201");

    assertThat(user.refusal().problem())
        .contains("refused " + certificate + " (ED25519 certificate, expired 2020-0")
        .contains(key + " (ED25519)");

    user.authorize(key);
    user.logIn();
  }

  @Test
  @Hostile("a certificate for somebody else")
  void aCertificateForOthersFallsBackToTheKeyAndIsNamed() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_rsa"), "rsa", "RFC4716", "");
    Path certificate = KeyMaker.certify(authority, key, "alice,bob", "-1h:+1h");

    assertThat(user.refusal().problem())
        .contains("refused " + certificate + " (RSA certificate, for alice, bob only)")
        .contains(key + " (RSA)");

    user.authorize(key);
    user.logIn();
  }

  @Test
  @Hostile("a certificate that is cut, and one without its key")
  void certificatesThatAreOfNoUseAreNamedAndPassedOver() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "");
    user.authorize(key);
    Path certificate = KeyMaker.certify(authority, key, server.user(), "-1h:+1h");
    String whole = Files.readString(certificate);
    Files.writeString(certificate, whole.substring(0, 200));
    Path other = KeyMaker.make(home.resolve("other"), "");
    Path lonely = KeyMaker.certify(authority, other, server.user(), "-1h:+1h");
    user.configure("CertificateFile " + lonely);

    user.logIn();

    Files.writeString(LoginFixture.authorized(serverFolder), "");
    assertThat(user.refusal().problem())
        .contains(certificate + " cannot be read as a certificate")
        .contains(lonely + ": the key that it certifies is not here");
  }
}
