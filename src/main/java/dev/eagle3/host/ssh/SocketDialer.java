package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;
import org.jspecify.annotations.Nullable;

/** Connects a socket to the first address of a host that answers. */
final class SocketDialer implements Dialer {
  private final SshDestination destination;
  private final List<InetAddress> addresses;
  private final ConnectFailures failures;

  /**
   * A dialer.
   *
   * @param addresses those of the destination, in the order to try
   */
  SocketDialer(SshDestination destination, List<InetAddress> addresses, ConnectFailures failures) {
    this.destination = destination;
    this.addresses = List.copyOf(addresses);
    this.failures = failures;
  }

  @Override
  public Optional<Carrier> carrier() {
    return Optional.empty();
  }

  @Override
  public ClientSession dial(SshClient client) {
    InetSocketAddress local = local();
    Failure first = null;
    for (InetAddress address : addresses) {
      try {
        return client
            .connect(destination.user(), remote(address), local)
            .verify(failures.settings().connectLimit())
            .getSession();
      } catch (IOException refused) {
        first = first == null ? failures.noConnection(address, refused) : first;
      }
    }
    throw first == null ? failures.noAddress() : first;
  }

  /** The address without its name, which SSHD would look up once more. */
  private InetSocketAddress remote(InetAddress address) throws UnknownHostException {
    InetAddress nameless =
        address instanceof Inet6Address six && six.getScopeId() > 0
            ? Inet6Address.getByAddress(null, six.getAddress(), six.getScopeId())
            : InetAddress.getByAddress(address.getAddress());
    return new InetSocketAddress(nameless, destination.port());
  }

  private @Nullable InetSocketAddress local() {
    Optional<String> bound = destination.options().firstSet("bindaddress");
    if (bound.isEmpty()) {
      return null;
    }
    try {
      return new InetSocketAddress(InetAddress.getByName(bound.get()), 0);
    } catch (UnknownHostException unknown) {
      throw failures.failure("BindAddress " + bound.get() + " is no address").causedBy(unknown);
    }
  }
}
