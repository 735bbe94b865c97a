package dev.eagle3.host.ssh;

import java.io.Closeable;
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
 */
record OpenHop(
    SshDestination destination,
    SshClient client,
    ClientSession session,
    ConnectionWatch watch,
    ConnectFailures failures)
    implements Closeable {

  /** Ends the connection. */
  @Override
  public void close() {
    client.stop();
  }
}
