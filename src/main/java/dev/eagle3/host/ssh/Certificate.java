package dev.eagle3.host.ssh;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/**
 * A certificate of OpenSSH for a user's key (PROTOCOL.certkeys), as far as a client reads it; the
 * server judges it.
 *
 * @param source the file that it is from, or words for where else
 * @param blob all of it
 * @param key the key that it certifies
 * @param ofUser whether it is for users, not for hosts
 * @param principals the accounts that it is good for; empty: none is named
 * @param validAfter seconds since 1970
 * @param validBefore seconds since 1970; negative: for ever
 */
record Certificate(
    String source,
    KeyBlob blob,
    KeyBlob key,
    boolean ofUser,
    List<String> principals,
    long validAfter,
    long validBefore) {
  private static final int FOR_USERS = 1;

  /**
   * Takes a certificate apart.
   *
   * @throws IOException when it is none, or is cut
   */
  static Certificate parse(String source, KeyBlob blob) throws IOException {
    if (!blob.isCertificate()) {
      throw new IOException("not a certificate");
    }
    WireReader reader = new WireReader(blob.bytes());
    reader.string();
    reader.string(); // the nonce
    ByteArrayBuffer key = new ByteArrayBuffer();
    key.putString(blob.keyType());
    for (int field = 0; field < fieldsOf(blob.keyType()); field++) {
      key.putBytes(reader.string());
    }
    reader.uint64(); // the serial number
    boolean ofUser = reader.uint32() == FOR_USERS;
    reader.string(); // what the authority calls it
    WireReader names = new WireReader(reader.string());
    List<String> principals = new ArrayList<>();
    while (!names.isAtEnd()) {
      principals.add(names.text());
    }
    return new Certificate(
        source,
        blob,
        KeyBlob.of(key.getCompactData()),
        ofUser,
        List.copyOf(principals),
        reader.uint64(),
        reader.uint64());
  }

  /** Reads a file {@code NAME-cert.pub}; {@link #parse} for what else goes wrong. */
  static Certificate read(Path file) throws IOException {
    return parse(
        file.toString(),
        KeyFileReader.publicLine(KeyFileReader.text(file))
            .orElseThrow(() -> new IOException("not a certificate")));
  }

  /** Why a server will not take it, as far as this machine's clock can tell. */
  Optional<String> problem(String user, Instant now) {
    if (!ofUser) {
      return Optional.of("is one of a host");
    }
    if (validBefore >= 0 && now.getEpochSecond() >= validBefore) {
      return Optional.of("expired " + Instant.ofEpochSecond(validBefore));
    }
    if (now.getEpochSecond() < validAfter) {
      return Optional.of("good from " + Instant.ofEpochSecond(validAfter) + " only");
    }
    if (!principals.isEmpty() && !principals.contains(user)) {
      return Optional.of("for " + String.join(", ", principals) + " only");
    }
    return Optional.empty();
  }

  private static int fieldsOf(String keyType) throws IOException {
    return switch (keyType) {
      case "ssh-ed25519" -> 1;
      case "ssh-rsa",
          "ecdsa-sha2-nistp256",
          "ecdsa-sha2-nistp384",
          "ecdsa-sha2-nistp521",
          "sk-ssh-ed25519@openssh.com" ->
          2;
      case "sk-ecdsa-sha2-nistp256@openssh.com" -> 3;
      default -> throw new IOException("of an unknown type");
    };
  }
}
