package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
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
   * Opens the connection; blocks, at most for the limits of the settings, and while the user is
   * asked about a new host key.
   *
   * @param below the hop that it goes through; it stays open when this fails
   * @return the hop, for the caller to close
   * @throws Failure {@code UNREACHABLE}; what carries the connection is closed then
   */
  OpenHop open(
      SshDestination destination,
      Dialer dialer,
      Optional<OpenHop> below,
      ConnectFailures failures) {
    SshClient client = null;
    boolean opened = false;
    try {
      KnownKeys known = known(destination, failures);
      HeadStart.awaitLibrary();
      HostKeyVerifier verifier = new HostKeyVerifier(destination, known, settings, failures, notes);
      client = SshClients.build(destination, settings, verifier, known);
      ConnectionWatch watch = new ConnectionWatch();
      client.addSessionListener(watch);
      if (dialer.carrier().isPresent()) {
        client.setIoServiceFactoryFactory(CarriedConnector.over(dialer.carrier().get()));
      }
      client.start();
      ClientSession session = dialer.dial(client);
      exchangeKeys(session, verifier, watch, dialer, failures);
      opened = true;
      return new OpenHop(destination, client, session, watch, failures, dialer.carrier(), below);
    } finally {
      if (!opened) {
        if (client != null) {
          client.stop();
        }
        dialer.carrier().ifPresent(Carrier::close);
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

  private void exchangeKeys(
      ClientSession session,
      HostKeyVerifier verifier,
      ConnectionWatch watch,
      Dialer dialer,
      ConnectFailures failures) {
    boolean asked;
    boolean ended;
    do {
      asked = verifier.isAsking();
      ended =
          !session
              .waitFor(
                  EnumSet.of(ClientSessionEvent.WAIT_AUTH, ClientSessionEvent.CLOSED),
                  settings.connectLimit())
              .contains(ClientSessionEvent.TIMEOUT);
    } while (!ended && (asked || verifier.isAsking()));
    if (!session.getSessionState().contains(ClientSessionEvent.WAIT_AUTH)) {
      throw verifier
          .failure()
          .orElseGet(() -> failures.noKeyExchange(watch, session.isOpen(), dialer.carrier()));
    }
  }
}
