package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Command;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.server.SshServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates of hosts, shown by a real server, and authorities in known_hosts. */
@Tag("slow")
class HostCertificateTest {
  private static final String HOST = "127.0.0.1";

  @TempDir static Path keys;
  private static Path authority;
  private static Path stranger;

  @TempDir Path folder;
  private final List<String> notes = new ArrayList<>();
  private @Nullable OpenSshServer server;

  @BeforeAll
  static void makeAuthorities() throws Exception {
    authority = KeyMaker.make(keys.resolve("authority"), "");
    stranger = KeyMaker.make(keys.resolve("stranger"), "");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"ed25519,ed25519", "ecdsa,ed25519", "rsa,ecdsa", "ed25519,rsa"})
  void anAuthorityInKnownHostsVouchesForAHost(String hostKey, String authorityType)
      throws Exception {
    Path ca = KeyMaker.make(folder.resolve("ca"), authorityType, "RFC4716", "");
    start(hostKey, ca, "-n", HOST + ",elsewhere", "-V", "-1d:+1d");
    know("@cert-authority [127.0.0.1]:* " + publicHalf(ca));

    connect(settings());

    assertThat(notes).isEmpty();
  }

  @Test
  void patternsOfPrincipalsAndAnAliasOfTheKeyHold() throws Exception {
    start("ed25519", authority, "-n", "*.cluster", "-V", "-1d:+1d");
    know("@cert-authority *.cluster " + publicHalf(authority));
    Path config = Files.writeString(folder.resolve("config"), "HostKeyAlias gpu7.cluster\n");

    connect(settings().withConfigFile(config));

    assertThat(refusal(settings())).contains("is not in ");
  }

  @Test
  @Hostile("a certificate of a host for another name")
  void aCertificateForAnotherHostIsNoReasonToTrust() throws Exception {
    start("ed25519", authority, "-n", "elsewhere,\u001b[2Jred", "-V", "-1d:+1d");
    know("@cert-authority * " + publicHalf(authority));

    assertThat(refusal(settings()))
        .contains("its certificate is for elsewhere, ")
        .contains("not for 127.0.0.1")
        .doesNotContain("\u001b");
  }

  @Test
  @Hostile("a certificate of a host that has expired")
  void anExpiredCertificateIsNoReasonToTrust() throws Exception {
    start("ed25519", authority, "-n", HOST, "-V", "-2d:-1d");
    know("@cert-authority * " + publicHalf(authority));

    assertThat(refusal(settings())).contains("its certificate is expired");
  }

  @Test
  @Hostile("a certificate of a host that holds from tomorrow")
  void aCertificateOfTomorrowIsNoReasonToTrust() throws Exception {
    start("ed25519", authority, "-n", HOST, "-V", "+1d:+2d");
    know("@cert-authority * " + publicHalf(authority));

    assertThat(refusal(settings())).contains("its certificate is not valid yet");
  }

  @Test
  @Hostile("a certificate of a host by an authority that nobody knows")
  void aCertificateOfAStrangersAuthorityIsNoReasonToTrust() throws Exception {
    start("ed25519", stranger, "-n", HOST, "-V", "-1d:+1d");
    know("@cert-authority * " + publicHalf(authority));

    assertThat(refusal(settings())).contains("its certificate is of another authority, ED25519 ");
  }

  @Test
  @Hostile("a certificate of a host without principals")
  void aCertificateForNobodyIsNoReasonToTrust() throws Exception {
    start("ed25519", authority, "-V", "-1d:+1d");
    know("@cert-authority * " + publicHalf(authority));

    assertThat(refusal(settings())).contains("its certificate is for nobody");
  }

  @Test
  @Hostile("a certificate of a host that was changed after it was signed")
  void aCertificateThatWasChangedIsNoReasonToTrust() throws Exception {
    for (boolean changed : List.of(false, true)) {
      String name = changed ? "127.0.0.2" : HOST;
      Path key = KeyMaker.make(folder.resolve("key" + changed), "ecdsa", "RFC4716", "");
      certify(key, authority, "-n", name, "-V", "-1d:+1d");
      byte[] blob =
          Base64.getDecoder().decode(Files.readString(certificateOf(key)).split(" ", 3)[1]);
      byte[] shown = new String(blob, ISO_8859_1).replace("127.0.0.2", HOST).getBytes(ISO_8859_1);
      SshServer forger = SshServer.setUpDefaultServer();
      forger.setHost(HOST);
      forger.setPort(0);
      forger.setKeyPairProvider(new FileKeyPairProvider(key));
      forger.setHostKeyCertificateProvider(
          session -> List.of((OpenSshCertificate) new ByteArrayBuffer(shown).getRawPublicKey()));
      forger.setPublickeyAuthenticator((user, offered, session) -> true);
      forger.start();
      Path home = Files.createDirectories(folder.resolve("home" + changed));
      Path identity = KeyMaker.make(folder.resolve("identity" + changed), "");
      Path known = home.resolve("known");
      Files.writeString(known, "@cert-authority * " + publicHalf(authority) + "\n");
      Path config = home.resolve("config");
      Files.writeString(
          config, "UserKnownHostsFile " + known + "\nIdentityFile " + identity + "\n");
      SshSettings settings = SshSettings.of(home).withConfigFile(config);
      String target = "root@127.0.0.1:" + forger.getPort();
      try {
        if (changed) {
          Failure failure =
              catchThrowableOfType(
                  Failure.class,
                  () -> new SshConnector(settings, notes::add).connect(target).close());
          assertThat(failure.problem()).contains("the signature of its certificate is not good");
        } else {
          new SshConnector(settings, notes::add).connect(target).close();
        }
      } finally {
        forger.stop(true);
      }
    }
  }

  @Test
  void aServerWithoutACertificateIsNotTrustedForItsAuthority() throws Exception {
    server = OpenSshServer.in(folder.resolve("server")).start();
    know("@cert-authority * " + publicHalf(authority));

    assertThat(refusal(settings())).contains("it shows no certificate of the authority of ");
  }

  @Test
  @Hostile("an authority of host keys that is revoked")
  void aRevokedAuthorityIsRefused() throws Exception {
    start("ed25519", authority, "-n", HOST, "-V", "-1d:+1d");
    know("@cert-authority * " + publicHalf(authority), "@revoked * " + publicHalf(authority));

    assertThat(refusal(settings().acceptingNewHostKeys()))
        .contains("the authority of its certificate, ED25519 SHA256:")
        .contains("is revoked in " + server().knownHosts() + ":2");
  }

  @Test
  @Hostile("a key with a certificate that is revoked")
  void aRevokedKeyIsRefusedWhateverItsCertificate() throws Exception {
    start("ed25519", authority, "-n", HOST, "-V", "-1d:+1d");
    know(
        "@cert-authority * " + publicHalf(authority),
        "@revoked * " + Files.readString(server().hostKey("ed25519")));

    assertThat(refusal(settings().acceptingNewHostKeys())).contains("its key ED25519");
  }

  @Test
  void aKeyThatIsKnownIsGoodWhenItsCertificateIsNot() throws Exception {
    start("ed25519", authority, "-n", HOST, "-V", "-2d:-1d");
    String known = Files.readString(server().knownHosts());
    know("@cert-authority * " + publicHalf(authority), known);

    connect(settings());
  }

  @Test
  void anAuthorityIsAnsweredForEvenWhereAnOldKeyStands() throws Exception {
    // As for OpenSSH: a machine that was set up anew, with a new key and a new certificate.
    start("ed25519", authority, "-n", HOST, "-V", "-1d:+1d");
    know(
        "@cert-authority * " + publicHalf(authority),
        "[127.0.0.1]:" + server().port() + " " + publicHalf(stranger));

    connect(settings());
  }

  private void start(String type, Path ca, String... words) throws Exception {
    Path own = Files.createDirectories(folder.resolve("server"));
    Path key = KeyMaker.make(own.resolve("host_" + type), type, "RFC4716", "");
    certify(key, ca, words);
    server =
        OpenSshServer.in(own)
            .hostKeys(type)
            .configuration("HostCertificate " + certificateOf(key))
            .start();
  }

  private static Path certificateOf(Path key) {
    return Path.of(key + "-cert.pub");
  }

  private static void certify(Path key, Path ca, String... words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Tools.find("ssh-keygen").toString());
    command.addAll(List.of("-q", "-h", "-I", "host", "-s", ca.toString()));
    command.addAll(List.of(words));
    command.add(key + ".pub");
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  private OpenSshServer server() {
    assertThat(server).isNotNull();
    return server;
  }

  private void know(String... lines) throws Exception {
    Files.writeString(server().knownHosts(), String.join("\n", lines) + "\n");
  }

  private static String publicHalf(Path key) throws Exception {
    return Files.readString(Path.of(key + ".pub")).strip();
  }

  private SshSettings settings() {
    return SshSettings.of(server().clientHome());
  }

  private void connect(SshSettings settings) {
    try (Host host = new SshConnector(settings, notes::add).connect(server().target())) {
      assertThat(host.run(Command.of("true", Duration.ofMinutes(1))).succeeded()).isTrue();
    }
  }

  private String refusal(SshSettings settings) {
    Failure failure = catchThrowableOfType(Failure.class, () -> connect(settings));
    assertThat(failure).as("the host was trusted").isNotNull();
    assertThat(failure.problem()).doesNotContain("Exception");
    return failure.problem();
  }
}
