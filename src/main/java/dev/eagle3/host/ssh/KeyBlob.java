package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Printable;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A public key or a certificate, as SSH sends it.
 *
 * @param encoded its bytes in base 64
 */
record KeyBlob(String encoded) {
  private static final int MOST_CHARACTERS = 60;
  private static final String CERTIFICATE = "-cert-v01@openssh.com";

  static KeyBlob of(byte[] bytes) {
    return new KeyBlob(Base64.getEncoder().encodeToString(bytes));
  }

  byte[] bytes() {
    return Base64.getDecoder().decode(encoded);
  }

  // As they would be made, but compiled: those are put together anew in every process, which takes
  // longer than many a command.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyBlob keyBlob && encoded.equals(keyBlob.encoded);
  }

  @Override
  public int hashCode() {
    return encoded.hashCode();
  }

  /** The type that it names itself, {@code ssh-ed25519}; empty where it is none. */
  String type() {
    return HostKeys.type(bytes());
  }

  boolean isCertificate() {
    return type().endsWith(CERTIFICATE);
  }

  /** The type of the key, also of one in a certificate. */
  String keyType() {
    String type = type();
    if (!type.endsWith(CERTIFICATE)) {
      return type;
    }
    String plain = type.substring(0, type.length() - CERTIFICATE.length());
    return plain.startsWith("sk-") ? plain + "@openssh.com" : plain;
  }

  /** Whether it lives in a security key (FIDO), which signs only when it is touched. */
  boolean isInSecurityKey() {
    return type().startsWith("sk-");
  }

  /** For messages: {@code ED25519}, {@code RSA certificate}; safe to print. */
  String shownType() {
    String type =
        switch (keyType()) {
          case "sk-ssh-ed25519@openssh.com" -> "ED25519-SK";
          case "sk-ecdsa-sha2-nistp256@openssh.com" -> "ECDSA-SK";
          default -> Printable.line(HostKeys.shownType(keyType()), MOST_CHARACTERS);
        };
    return type + (isCertificate() ? " certificate" : "");
  }

  /** How a request to log in names the algorithm, for a signature of this algorithm. */
  String requestAlgorithm(String signatureAlgorithm) {
    if (!keyType().equals("ssh-rsa")) {
      return type();
    }
    return isCertificate() ? signatureAlgorithm + CERTIFICATE : signatureAlgorithm;
  }
}
