package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Optional;

/**
 * An identity file as far as it can be read without a passphrase.
 *
 * @param file where it is
 * @param publicHalf empty when only a passphrase shows it
 * @param pair the whole key; empty when a passphrase locks it, or the file has no private half
 * @param form what kind of file it is
 */
record KeyFile(Path file, Optional<KeyBlob> publicHalf, Optional<KeyPair> pair, Form form) {

  /** Kinds of identity files. */
  enum Form {
    /** A private key that anybody who has the file can use. */
    OPEN,
    /** A private key behind a passphrase: OpenSSH's own form, or PEM of old. */
    LOCKED,
    /** A private key behind a passphrase, in PKCS #8. */
    LOCKED_PKCS8,
    /** The public half of a key whose private half an agent has. */
    PUBLIC_HALF,
  }

  boolean isLocked() {
    return form == Form.LOCKED || form == Form.LOCKED_PKCS8;
  }
}
