package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.security.KeyPair;
import org.apache.sshd.common.config.keys.KeyUtils;

/**
 * A private key that may log in.
 *
 * @param file where it comes from
 * @param pair the key with its public half
 */
record Identity(Path file, KeyPair pair) {
  /** For messages: {@code /home/me/.ssh/id_ed25519 (ED25519)}. */
  String shown() {
    return file + " (" + HostKeys.shownType(KeyUtils.getKeyType(pair)) + ")";
  }
}
