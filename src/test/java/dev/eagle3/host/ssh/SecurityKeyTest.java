package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that live in a security key (FIDO), without one: its half is played in software. */
@Tag("slow")
class SecurityKeyTest {
  private static final String TYPE = "sk-ssh-ed25519@openssh.com";

  @TempDir Path serverFolder;
  @TempDir Path home;

  @Test
  void aKeyThatAnAgentReachesLogsInWithAWordAboutTheTouch() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] blob = blob(pair);
    try (OpenSshServer server = LoginFixture.start(serverFolder);
        FakeAgent agent = new FakeAgent(home.resolve("agent"))) {
      LoginFixture user = new LoginFixture(server, LoginFixture.authorized(serverFolder), home);
      Files.writeString(
          LoginFixture.authorized(serverFolder),
          TYPE + " " + Base64.getEncoder().encodeToString(blob) + "\n");
      user.agent(home.resolve("agent"));
      agent.answer(
          request ->
              FakeAgent.framed(
                  request[0] == 11 ? FakeAgent.keys(blob, "token") : signed(pair, request)));

      user.logIn();

      assertThat(user.notes())
          .containsExactly("touch the security key of the agent's token (ED25519-SK)");
    }
  }

  @Test
  void aFileOfOneIsToldInOneSentenceWithTheWayOut() throws Exception {
    try (OpenSshServer server = LoginFixture.start(serverFolder)) {
      LoginFixture user = new LoginFixture(server, LoginFixture.authorized(serverFolder), home);
      Path file =
          Files.writeString(
              user.ssh("id_ed25519_sk"),
              privateFile(blob(KeyPairGenerator.getInstance("Ed25519").generateKeyPair())));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

      Failure failure = user.refusal();

      assertThat(failure.problem())
          .contains(file + " is in a security key (FIDO), which only OpenSSH's own ssh can use");
      assertThat(failure.tryNext().orElseThrow())
          .startsWith("--via 'ssh -F ")
          .endsWith(" -p " + server.port() + " " + server.user() + "@127.0.0.1 sh'");
    }
  }

  /** Type, key, and the application that the key is for. */
  private static byte[] blob(KeyPair pair) {
    byte[] encoded = pair.getPublic().getEncoded();
    ByteArrayBuffer blob = new ByteArrayBuffer();
    blob.putString(TYPE);
    blob.putBytes(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
    blob.putString("ssh:");
    return blob.getCompactData();
  }

  /** The beginning of the file that ssh-keygen -t ed25519-sk writes. */
  private static String privateFile(byte[] blob) {
    ByteArrayBuffer file = new ByteArrayBuffer();
    file.putRawBytes("openssh-key-v1\0".getBytes(UTF_8));
    file.putString("none");
    file.putString("none");
    file.putString("");
    file.putInt(1);
    file.putBytes(blob);
    file.putString("handle");
    return "-----BEGIN OPENSSH PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(70, new byte[] {'\n'}).encodeToString(file.getCompactData())
        + "\n-----END OPENSSH PRIVATE KEY-----\n";
  }

  /**
   * What a touched key signs (PROTOCOL.u2f): digests of application and message, flags, counter.
   */
  private static byte[] signed(KeyPair pair, byte[] request) {
    try {
      WireReader reader = new WireReader(Arrays.copyOfRange(request, 1, request.length));
      reader.string();
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      ByteArrayBuffer claim = new ByteArrayBuffer();
      claim.putRawBytes(sha256.digest("ssh:".getBytes(UTF_8)));
      claim.putByte((byte) 1);
      claim.putInt(7);
      claim.putRawBytes(sha256.digest(reader.string()));
      Signature ed25519 = Signature.getInstance("Ed25519");
      ed25519.initSign(pair.getPrivate());
      ed25519.update(claim.getCompactData());
      ByteArrayBuffer signature = new ByteArrayBuffer();
      signature.putString(TYPE);
      signature.putBytes(ed25519.sign());
      signature.putByte((byte) 1);
      signature.putInt(7);
      ByteArrayBuffer answer = new ByteArrayBuffer();
      answer.putByte((byte) 14);
      answer.putBytes(signature.getCompactData());
      return answer.getCompactData();
    } catch (IOException | GeneralSecurityException wrong) {
      throw new AssertionError(wrong);
    }
  }
}
