package dev.eagle3.host.ssh;

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

/** Opens the connection of one hop: exchanges keys and checks the host's key, no more. */
final class HopOpener {
  private final SshSettings settings;
  private final Consumer<String> notes;

  HopOpener(SshSettings settings, Consumer<String> notes) {
    this.settings = settings;
    this.notes = notes;
  }

  /**
   * Connects; blocks, at most for the limits of the settings.
   *
   * @param addresses those of the destination, in the order to try
   * @return the hop, for the caller to close
   * @throws Failure {@code UNREACHABLE}
   */
  OpenHop open(SshDestination destination, List<InetAddress> addresses, ConnectFailures failures) {
    KnownKeys known = known(destination, failures);
    HeadStart.awaitLibrary();
    HostKeyVerifier verifier =
        new HostKeyVerifier(
            destination,
            known,
            settings.acceptNewHostKey() || destination.acceptNewHostKey(),
            notes);
    SshClient client = SshClients.build(destination, settings, verifier, known);
    ConnectionWatch watch = new ConnectionWatch();
    client.addSessionListener(watch);
    boolean opened = false;
    try {
      client.start();
      ClientSession session = connect(client, destination, addresses, failures);
      exchangeKeys(session, verifier, watch, failures);
      opened = true;
      return new OpenHop(destination, client, session, watch, failures);
    } finally {
      if (!opened) {
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

  private ClientSession connect(
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
}
