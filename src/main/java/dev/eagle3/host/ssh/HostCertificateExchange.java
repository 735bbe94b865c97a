package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Printable;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.apache.sshd.client.kex.DHGClient;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.kex.DHFactory;
import org.apache.sshd.common.kex.KeyExchange;
import org.apache.sshd.common.kex.KeyExchangeFactory;
import org.apache.sshd.common.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * SSHD's key exchange, with the checks of a host's certificate in words: what is wrong with it goes
 * to the verifier, and its key then counts as one without a certificate, as for OpenSSH.
 */
final class HostCertificateExchange extends DHGClient {
  private static final int MOST_SHOWN = 200;

  private final SshDestination destination;
  private final HostKeyVerifier verifier;

  private HostCertificateExchange(
      DHFactory method, Session session, SshDestination destination, HostKeyVerifier verifier) {
    super(method, session);
    this.destination = destination;
    this.verifier = verifier;
  }

  /** The exchange with one method. */
  static KeyExchangeFactory factory(
      DHFactory method, SshDestination destination, HostKeyVerifier verifier) {
    return new KeyExchangeFactory() {
      @Override
      public String getName() {
        return method.getName();
      }

      @Override
      public KeyExchange createKeyExchange(Session session) {
        return new HostCertificateExchange(method, session, destination, verifier);
      }
    };
  }

  @Override
  protected void verifyCertificate(Session session, OpenSshCertificate certificate)
      throws Exception {
    Optional<String> problem = problem(certificate, Instant.now());
    if (problem.isPresent()) {
      throw bad(problem.get(), null);
    }
    try {
      // The signature, and all of the above once more.
      super.verifyCertificate(session, certificate);
    } catch (Exception wrong) {
      throw bad("the signature of its certificate is not good", wrong);
    }
  }

  private SshException bad(String problem, @Nullable Throwable cause) {
    verifier.certificateIsBad(problem);
    return new SshException(SshConstants.SSH2_DISCONNECT_KEY_EXCHANGE_FAILED, problem, cause);
  }

  private Optional<String> problem(OpenSshCertificate certificate, Instant now) {
    if (certificate.getType() != OpenSshCertificate.Type.HOST) {
      return Optional.of("its certificate is one of a user");
    }
    if (!OpenSshCertificate.isValidAt(certificate, now)) {
      boolean early = Long.compareUnsigned(now.getEpochSecond(), certificate.getValidAfter()) < 0;
      return Optional.of("its certificate is " + (early ? "not valid yet" : "expired"));
    }
    Collection<String> principals = certificate.getPrincipals();
    String name = destination.certificateName();
    if (principals.stream().noneMatch(principal -> Wildcards.match(principal, name))) {
      String named = Printable.line(String.join(", ", principals), MOST_SHOWN);
      return Optional.of(
          "its certificate is for " + (named.isEmpty() ? "nobody" : named) + ", not for " + name);
    }
    if (!certificate.getCriticalOptions().isEmpty()) {
      return Optional.of("its certificate has options that nobody knows for hosts");
    }
    return Optional.empty();
  }
}
