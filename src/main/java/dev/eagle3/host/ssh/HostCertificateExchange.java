package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Printable;
import java.security.PublicKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.apache.sshd.client.kex.DHGClient;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.kex.DHFactory;
import org.apache.sshd.common.kex.KeyExchange;
import org.apache.sshd.common.kex.KeyExchangeFactory;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.signature.Signature;

/**
 * SSHD's key exchange, with own checks of a host's certificate: SSHD's hold it against the address
 * that a socket is connected to, which is not its name behind a jump host. What is wrong with it
 * goes to the verifier, and its key then counts as one without a certificate, as for OpenSSH.
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
      throws SshException {
    Optional<String> problem = problem(certificate, Instant.now());
    if (problem.isPresent()) {
      throw bad(problem.get());
    }
    if (!isSigned(session, certificate)) {
      throw bad("the signature of its certificate is not good");
    }
  }

  /** Whether its authority has signed it, in a way that we take for host keys too. */
  private static boolean isSigned(Session session, OpenSshCertificate certificate) {
    try {
      PublicKey authority = certificate.getCaPubKey();
      String algorithm = certificate.getSignatureAlgorithm();
      Signature signature = NamedFactory.create(session.getSignatureFactories(), algorithm);
      if (signature == null
          || authority instanceof OpenSshCertificate
          || !KeyUtils.getCanonicalKeyType(algorithm).equals(KeyUtils.getKeyType(authority))) {
        return false;
      }
      signature.initVerifier(session, authority);
      signature.update(session, certificate.getMessage());
      return signature.verify(session, certificate.getSignature());
    } catch (Exception malformed) {
      return false;
    }
  }

  private SshException bad(String problem) {
    verifier.certificateIsBad(problem);
    return new SshException(SshConstants.SSH2_DISCONNECT_KEY_EXCHANGE_FAILED, problem);
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
