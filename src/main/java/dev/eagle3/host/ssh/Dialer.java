package dev.eagle3.host.ssh;

import java.util.Optional;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;

/** Makes the connection of one hop, in one way. */
interface Dialer {
  /**
   * What carries the connection where that is no socket of our own; it is there before dialling.
   */
  Optional<Carrier> carrier();

  /**
   * Connects; blocks for a limited time.
   *
   * @param client has been started
   * @throws dev.eagle3.outcome.Failure {@code UNREACHABLE}
   */
  ClientSession dial(SshClient client);
}
