package dev.eagle3.host.ssh;

/**
 * A key that may log in. Servers see its public half first; only when one would take it the key is
 * asked to sign, which may ask the user for a passphrase, an agent, or a touch.
 */
interface LoginKey {
  /** For messages: {@code /home/me/.ssh/id_ed25519 (ED25519)}; safe to print. */
  String shown();

  /**
   * What the server sees: a public key or a certificate. Blocks when the user must be asked.
   *
   * @throws LoginKeyException when it cannot be had
   */
  KeyBlob blob() throws LoginKeyException;

  /**
   * Signs; blocks while the user or an agent is asked.
   *
   * @param algorithm of the signature, as SSH names it
   * @return the signature in the encoding of SSH: the algorithm, then its bytes
   * @throws LoginKeyException when it does not sign
   */
  byte[] sign(String algorithm, byte[] data) throws LoginKeyException;
}
