package dev.eagle3.host.ssh;

import dev.eagle3.host.Host;
import dev.eagle3.outcome.Failure;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Connects to hosts over SSH: resolves the name as ssh would, checks the host's key, logs in with
 * what the user has: keys of an agent or of files, and what they type. Every failure says where it
 * got to, what was tried, and what to try.
 *
 * <pre>{@code
 * try (Host host = new SshConnector(SshSettings.of(home), notes).connect("root@gpu7")) { ... }
 * }</pre>
 */
public final class SshConnector {
  private final SshSettings settings;
  private final Consumer<String> notes;
  private final UnlockedKeys unlocked = new UnlockedKeys();

  /**
   * A connector; thread-safe, and holds nothing open. Keys that the user unlocks stay unlocked for
   * its further connections.
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
    return new SshHost(hop(target, notes), () -> hop(target, note -> {}), notes);
  }

  /** A connection to the host that is logged in. */
  private OpenHop hop(SshTarget target, Consumer<String> notes) {
    SshDestinationResolver resolver = new SshDestinationResolver(settings, notes);
    OpenHop hop = null;
    boolean connected = false;
    try {
      for (SshDestination next : new RouteFinder(resolver).find(target)) {
        hop = step(target, next, Optional.ofNullable(hop));
      }
      connected = true;
      return Objects.requireNonNull(hop, "a route has its target");
    } finally {
      if (!connected && hop != null) {
        hop.close();
      }
    }
  }

  /** Goes one hop further; where that fails, the hops below may be closed. */
  private OpenHop step(SshTarget target, SshDestination next, Optional<OpenHop> below) {
    SshSettings own = next.adjusted(settings);
    Optional<String> command = below.isPresent() ? Optional.empty() : next.proxyCommand();
    String through =
        below
            .map(jump -> "jump host " + jump.destination().target())
            .or(() -> command.map(ProxyCommand::shown))
            .orElse("");
    ConnectFailures failures = new ConnectFailures(target, next, own, through);
    boolean direct = below.isEmpty() && command.isEmpty();
    List<InetAddress> addresses = direct ? new AddressResolver(failures).resolve(next) : List.of();
    HopAuthenticator authenticator = HopAuthenticator.prepare(next, own, unlocked, failures, notes);
    Dialer dialer =
        direct
            ? new SocketDialer(next, addresses, failures)
            : new CarrierDialer(carrier(next, below, command, failures), next, failures);
    OpenHop hop = new HopOpener(own, notes).open(next, dialer, below, failures);
    boolean loggedIn = false;
    try {
      authenticator.logIn(hop);
      loggedIn = true;
      return hop;
    } finally {
      if (!loggedIn) {
        hop.close();
      }
    }
  }

  private Carrier carrier(
      SshDestination next,
      Optional<OpenHop> below,
      Optional<String> command,
      ConnectFailures failures) {
    if (below.isPresent()) {
      return ForwardedCarrier.open(below.get(), next, failures);
    }
    String line = command.orElseThrow();
    if (next.options().first("proxyusefdpass").orElse("no").equals("yes")) {
      throw failures
          .failure(
              ProxyCommand.shown(line)
                  + " passes on a socket (ProxyUseFdpass), which only"
                  + " ssh itself can take")
          .orTry(failures.viaSsh());
    }
    return ProxyCommand.start(line, settings.home(), failures);
  }
}
