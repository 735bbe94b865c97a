package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.util.List;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;

/** Logs in to one hop, with the identities of its destination. */
final class HopAuthenticator {
  private final SshSettings settings;
  private final IdentityReader reader;
  private final List<Identity> identities;

  private HopAuthenticator(SshSettings settings, IdentityReader reader, List<Identity> identities) {
    this.settings = settings;
    this.reader = reader;
    this.identities = identities;
  }

  /**
   * Gets what is needed, before anything is connected.
   *
   * @throws Failure {@code UNREACHABLE} when there is nothing to log in with
   */
  static HopAuthenticator prepare(
      SshDestination destination, SshSettings settings, ConnectFailures failures) {
    HeadStart.awaitLibrary();
    IdentityReader reader = new IdentityReader(destination);
    List<Identity> identities = reader.read();
    if (identities.isEmpty()) {
      throw failures.noIdentity(reader.passedOver());
    }
    return new HopAuthenticator(settings, reader, identities);
  }

  /**
   * Logs in; blocks, at most for the login limit of the settings.
   *
   * @throws Failure {@code UNREACHABLE} when the server does not let one in
   */
  void logIn(OpenHop hop) {
    ClientSession session = hop.session();
    LoginReport report = new LoginReport(identities);
    session.setPublicKeyAuthenticationReporter(report);
    session.setKeyIdentityProvider(
        KeyIdentityProvider.wrapKeyPairs(identities.stream().map(Identity::pair).toList()));
    try {
      session.auth().verify(settings.loginLimit());
    } catch (IOException refused) {
      throw hop.failures().noLogin(refused, hop.watch(), report, reader.passedOver());
    }
  }
}
