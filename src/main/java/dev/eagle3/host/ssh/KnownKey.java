package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.util.Base64;

/**
 * One line of a known_hosts file that speaks of a host.
 *
 * @param file the file
 * @param line its line, from 1
 * @param marker {@code @revoked}, {@code @cert-authority}, or empty
 * @param type the key's type: {@code ssh-ed25519}
 * @param encoded the key as SSH sends it, in base 64
 */
record KnownKey(Path file, int line, String marker, String type, String encoded) {
  /** Whether it is this key. */
  boolean is(byte[] other) {
    return Base64.getEncoder().encodeToString(other).equals(encoded);
  }

  /** Its fingerprint, as OpenSSH prints it. */
  String fingerprint() {
    return HostKeys.fingerprint(Base64.getDecoder().decode(encoded));
  }

  /** For messages: {@code /home/me/.ssh/known_hosts:7}. */
  String where() {
    return file + ":" + line;
  }
}
