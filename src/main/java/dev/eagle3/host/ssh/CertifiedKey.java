package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Printable;
import java.time.Instant;

/**
 * A key together with a certificate for it: the server sees the certificate, the key signs.
 *
 * @param certificate what is shown
 * @param key what signs
 * @param user the account to log in to
 */
record CertifiedKey(Certificate certificate, LoginKey key, String user) implements LoginKey {
  @Override
  public String shown() {
    String problem =
        certificate
            .problem(user, Instant.now())
            .map(why -> ", " + Printable.line(why, 200))
            .orElse("");
    return certificate.source() + " (" + certificate.blob().shownType() + problem + ")";
  }

  @Override
  public KeyBlob blob() {
    return certificate.blob();
  }

  @Override
  public byte[] sign(String algorithm, byte[] data) throws LoginKeyException {
    return key.sign(algorithm, data);
  }
}
