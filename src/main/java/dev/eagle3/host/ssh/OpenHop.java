package dev.eagle3.host.ssh;

import java.io.Closeable;
import java.util.Optional;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;

/**
 * One SSH connection of the way to a host: keys are exchanged, and the host's key is good; whether
 * it is logged in is the matter of {@link HopAuthenticator}.
 *
 * @param destination where it leads
 * @param client has this one session
 * @param session the connection
 * @param watch what it said so far
 * @param failures words for what goes wrong with it
 * @param carrier what carries it, where that is no socket of our own
 * @param below the hop that it goes through
 */
record OpenHop(
    SshDestination destination,
    SshClient client,
    ClientSession session,
    ConnectionWatch watch,
    ConnectFailures failures,
    Optional<Carrier> carrier,
    Optional<OpenHop> below)
    implements Closeable {

  /** Why the connection is gone. */
  String lossReason() {
    String way = carrier.map(Carrier::lastWords).orElse("");
    String own = watch.lossReason();
    if (way.isEmpty()) {
      return own;
    }
    return own.equals(ConnectionWatch.CLOSED) ? way : own + "; " + way;
  }

  /** Ends the connection, and then those that it goes through. */
  @Override
  public void close() {
    client.stop();
    carrier.ifPresent(Carrier::close);
    below.ifPresent(OpenHop::close);
  }
}
