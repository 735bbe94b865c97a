package dev.eagle3.host.ssh;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;

/** Connects over a carrier, which leads to the server already. */
final class CarrierDialer implements Dialer {
  private final Carrier carrier;
  private final SshDestination destination;
  private final ConnectFailures failures;

  CarrierDialer(Carrier carrier, SshDestination destination, ConnectFailures failures) {
    this.carrier = carrier;
    this.destination = destination;
    this.failures = failures;
  }

  @Override
  public Optional<Carrier> carrier() {
    return Optional.of(carrier);
  }

  @Override
  public ClientSession dial(SshClient client) {
    InetSocketAddress address =
        InetSocketAddress.createUnresolved(destination.address(), destination.port());
    try {
      return client
          .connect(destination.user(), address)
          .verify(failures.settings().connectLimit())
          .getSession();
    } catch (IOException broken) {
      throw failures.notCarried(carrier, broken);
    }
  }
}
