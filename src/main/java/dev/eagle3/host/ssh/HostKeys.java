package dev.eagle3.host.ssh;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Public keys in the form that SSH sends: a string with the type, then what belongs to it. */
final class HostKeys {
  private HostKeys() {}

  /** The fingerprint as OpenSSH prints it: {@code SHA256:} and base 64 without padding. */
  static String fingerprint(byte[] blob) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(blob);
      return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /** The type that a key names itself; empty where it is none. */
  static String type(byte[] blob) {
    if (blob.length < Integer.BYTES) {
      return "";
    }
    int length = ByteBuffer.wrap(blob).getInt();
    return length < 0 || length > blob.length - Integer.BYTES
        ? ""
        : new String(blob, Integer.BYTES, length, StandardCharsets.US_ASCII);
  }

  /** A type as OpenSSH shows it to people: {@code ED25519}, {@code ECDSA}, {@code RSA}. */
  static String shownType(String type) {
    if (type.startsWith("ecdsa-")) {
      return "ECDSA";
    }
    return switch (type) {
      case "ssh-ed25519" -> "ED25519";
      case "ssh-rsa" -> "RSA";
      case "ssh-dss" -> "DSA";
      default -> type;
    };
  }
}
