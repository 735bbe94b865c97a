package dev.eagle3.host.ssh;

import dev.eagle3.host.Host;
import dev.eagle3.outcome.Failure;
import java.net.InetAddress;
import java.util.List;
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
    SshDestination destination = new SshDestinationResolver(settings, notes).resolve(target);
    ConnectFailures failures = new ConnectFailures(destination, settings);
    List<InetAddress> addresses = new AddressResolver(settings).resolve(destination);
    HopAuthenticator authenticator =
        HopAuthenticator.prepare(destination, settings, unlocked, failures, notes);
    OpenHop hop = new HopOpener(settings, notes).open(destination, addresses, failures);
    boolean connected = false;
    try {
      authenticator.logIn(hop);
      connected = true;
      return new SshHost(hop);
    } finally {
      if (!connected) {
        hop.close();
      }
    }
  }
}
