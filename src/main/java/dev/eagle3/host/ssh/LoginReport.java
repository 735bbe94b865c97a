package dev.eagle3.host.ssh;

import java.security.KeyPair;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sshd.client.auth.pubkey.PublicKeyAuthenticationReporter;
import org.apache.sshd.client.session.ClientSession;

/** Which keys a server refused, and what it would take instead. */
final class LoginReport implements PublicKeyAuthenticationReporter {
  private final List<Identity> identities;
  private final List<Identity> refused = new CopyOnWriteArrayList<>();
  private final Set<String> methods = new ConcurrentSkipListSet<>();

  LoginReport(List<Identity> identities) {
    this.identities = List.copyOf(identities);
  }

  /** The keys that the server did not take. */
  List<Identity> refused() {
    return List.copyOf(refused);
  }

  /** The ways to log in that the server named when it refused. */
  List<String> methods() {
    return List.copyOf(methods);
  }

  @Override
  public void signalAuthenticationFailure(
      ClientSession session,
      String service,
      KeyPair pair,
      boolean partial,
      List<String> serverMethods) {
    if (serverMethods != null) {
      methods.addAll(serverMethods);
    }
    identities.stream()
        .filter(identity -> identity.pair().equals(pair) && !refused.contains(identity))
        .forEach(refused::add);
  }
}
