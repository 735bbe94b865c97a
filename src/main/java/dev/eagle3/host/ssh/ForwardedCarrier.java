package dev.eagle3.host.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.sshd.client.channel.ChannelDirectTcpip;
import org.apache.sshd.common.util.net.SshdSocketAddress;

/** A channel that a jump host forwards to the next one: {@code direct-tcpip} of RFC 4254. */
final class ForwardedCarrier implements Carrier {
  /** Where the connection comes from, which servers log at most: OpenSSH names this for -W too. */
  private static final SshdSocketAddress ORIGIN = new SshdSocketAddress("127.0.0.1", 65_535);

  private final OpenHop below;
  private final ChannelDirectTcpip channel;

  private ForwardedCarrier(OpenHop below, ChannelDirectTcpip channel) {
    this.below = below;
    this.channel = channel;
  }

  /**
   * Asks a jump host to connect to the next one, by the name that we know it under: the jump host
   * resolves it. Blocks until it did.
   *
   * @throws dev.eagle3.outcome.Failure {@code UNREACHABLE} when it does not
   */
  static ForwardedCarrier open(OpenHop below, SshDestination next, ConnectFailures failures) {
    SshdSocketAddress address = new SshdSocketAddress(next.address(), next.port());
    ChannelDirectTcpip channel = null;
    try {
      channel = below.session().createDirectTcpipChannel(ORIGIN, address);
      channel.open().verify(failures.settings().connectLimit());
      return new ForwardedCarrier(below, channel);
    } catch (IOException refused) {
      if (channel != null) {
        channel.close(true);
      }
      throw failures.notForwarded(below, refused);
    }
  }

  @Override
  public InputStream input() {
    return channel.getInvertedOut();
  }

  @Override
  public OutputStream output() {
    return channel.getInvertedIn();
  }

  @Override
  public String lastWords() {
    return below.session().isOpen()
        ? ""
        : "the connection to jump host "
            + below.destination().target()
            + " was lost: "
            + below.lossReason();
  }

  @Override
  public void close() {
    channel.close(false);
  }
}
