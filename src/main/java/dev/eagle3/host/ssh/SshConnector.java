package dev.eagle3.host.ssh;

import dev.eagle3.host.Host;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.client.session.ClientSession.ClientSessionEvent;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;

/**
 * Connects to hosts over SSH: resolves the name as ssh would, checks the host's key, logs in with
 * an identity file. Every failure says where it got to, what was tried, and what to try.
 *
 * <pre>{@code
 * try (Host host = new SshConnector(SshSettings.of(home), notes).connect("root@gpu7")) { ... }
 * }</pre>
 */
public final class SshConnector {
  private final SshSettings settings;
  private final Consumer<String> notes;

  /**
   * A connector; thread-safe, and holds nothing open.
   *
   * @param notes gets a sentence for the user when a new host key was taken, or when something in
   *     ssh_config is not followed
   */
  public SshConnector(SshSettings settings, Consumer<String> notes) {
    this.settings = settings;
    this.notes = notes;
    HeadStart.begin();
  }

  /**
   * Begins to load, aside, what the first connection of a process needs: the earlier it is called
   * once it is clear that a host will be connected to, the less the connection waits. Returns at
   * once.
   */
  public static void getReady() {
    HeadStart.begin();
  }

  /**
   * Connects and logs in. Blocks, at most for the limits of the settings.
   *
   * @param target {@code [user@]host[:port]}, or an alias of ssh_config
   * @return the host, for the caller to close
   * @throws Failure {@code USAGE} for a target that is none, {@code UNREACHABLE} for everything
   *     that keeps one from logging in
   */
  public Host connect(String target) {
    return connect(SshTarget.parse(target));
  }

  /** As {@link #connect(String)}. */
  public Host connect(SshTarget target) {
    SshDestination destination = new SshDestinationResolver(settings, notes).resolve(target);
    ConnectFailures failures = new ConnectFailures(destination, settings);
    KnownKeys known = known(destination, failures);
    List<InetAddress> addresses = new AddressResolver(settings).resolve(destination);
    HeadStart.awaitLibrary();
    IdentityReader reader = new IdentityReader(destination);
    List<Identity> identities = reader.read();
    if (identities.isEmpty()) {
      throw failures.noIdentity(reader.passedOver());
    }
    HostKeyVerifier verifier =
        new HostKeyVerifier(
            destination,
            known,
            settings.acceptNewHostKey() || destination.acceptNewHostKey(),
            notes);
    SshClient client = SshClients.build(settings, verifier, known);
    ConnectionWatch watch = new ConnectionWatch();
    LoginReport report = new LoginReport(identities);
    client.addSessionListener(watch);
    client.setPublicKeyAuthenticationReporter(report);
    boolean connected = false;
    try {
      client.start();
      ClientSession session = open(client, destination, addresses, failures);
      session.setKeyIdentityProvider(
          KeyIdentityProvider.wrapKeyPairs(identities.stream().map(Identity::pair).toList()));
      exchangeKeys(session, verifier, watch, failures);
      logIn(session, watch, report, reader, failures);
      connected = true;
      return new SshHost(destination, client, session, watch);
    } finally {
      if (!connected) {
        client.stop();
      }
    }
  }

  private static KnownKeys known(SshDestination destination, ConnectFailures failures) {
    try {
      return KnownKeys.of(destination);
    } catch (IOException unreadable) {
      throw failures.unreadable(unreadable);
    }
  }

  private ClientSession open(
      SshClient client,
      SshDestination destination,
      List<InetAddress> addresses,
      ConnectFailures failures) {
    Failure first = null;
    for (InetAddress address : addresses) {
      try {
        return client
            .connect(destination.user(), new InetSocketAddress(address, destination.port()))
            .verify(settings.connectLimit())
            .getSession();
      } catch (IOException refused) {
        first = first == null ? failures.noConnection(address, refused) : first;
      }
    }
    throw first == null ? failures.noAddress() : first;
  }

  private void exchangeKeys(
      ClientSession session,
      HostKeyVerifier verifier,
      ConnectionWatch watch,
      ConnectFailures failures) {
    var seen =
        session.waitFor(
            EnumSet.of(ClientSessionEvent.WAIT_AUTH, ClientSessionEvent.CLOSED),
            settings.connectLimit());
    if (!seen.contains(ClientSessionEvent.WAIT_AUTH)) {
      throw verifier.failure().orElseGet(() -> failures.noKeyExchange(watch, session.isOpen()));
    }
  }

  private void logIn(
      ClientSession session,
      ConnectionWatch watch,
      LoginReport report,
      IdentityReader reader,
      ConnectFailures failures) {
    try {
      session.auth().verify(settings.loginLimit());
    } catch (IOException refused) {
      throw failures.noLogin(refused, watch, report, reader.passedOver());
    }
  }
}
