package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/** Files of keys that live in a security key, without one. */
final class SecurityKey {
  private SecurityKey() {}

  /** The beginning of a private key file for an ed25519 key of a security key. */
  static String privateFile(byte[] ed25519) throws java.io.IOException {
    WireReader reader = new WireReader(ed25519);
    reader.string();
    ByteArrayBuffer blob = new ByteArrayBuffer();
    blob.putString("sk-ssh-ed25519@openssh.com");
    blob.putBytes(reader.string());
    blob.putString("ssh:");
    ByteArrayBuffer file = new ByteArrayBuffer();
    file.putRawBytes("openssh-key-v1\0".getBytes(UTF_8));
    file.putString("none");
    file.putString("none");
    file.putString("");
    file.putInt(1);
    file.putBytes(blob.getCompactData());
    file.putString("handle");
    return "-----BEGIN OPENSSH PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(70, new byte[] {'\n'}).encodeToString(file.getCompactData())
        + "\n-----END OPENSSH PRIVATE KEY-----\n";
  }
}
