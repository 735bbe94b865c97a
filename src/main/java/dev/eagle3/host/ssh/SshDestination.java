package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a target leads, with everything that ssh_config adds to it.
 *
 * @param target what the user wrote
 * @param user the account there
 * @param address name or address to connect to
 * @param port the port to connect to
 * @param hostKeyName under which name known_hosts is searched: {@code host}, {@code [host]:port}
 * @param identityFiles private keys, in the order to try
 * @param identityFilesChosen whether the user named these; else they are ssh's usual ones, of which
 *     most do not exist
 * @param knownHosts the user's known_hosts files; new keys go into the first
 * @param systemKnownHosts those of the machine, only read
 * @param hostKeyPolicy what ssh_config wants done with keys of unknown hosts
 * @param options everything else that ssh_config says
 */
record SshDestination(
    SshTarget target,
    String user,
    String address,
    int port,
    String hostKeyName,
    List<Path> identityFiles,
    boolean identityFilesChosen,
    List<Path> knownHosts,
    List<Path> systemKnownHosts,
    HostKeyPolicy hostKeyPolicy,
    SshOptions options) {

  private static final long MOST_SECONDS = 86_400;

  /** For messages: {@code gpu7:22}. */
  String shown() {
    return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
  }

  /** The words that tell {@code ssh} the same. */
  String sshWords() {
    return target.sshWords();
  }

  /** The name that a certificate of the host must have among its principals. */
  String certificateName() {
    return options.firstSet("hostkeyalias").orElseGet(() -> address.toLowerCase(Locale.ROOT));
  }

  /** The jump hosts before it, as ssh_config names them: {@code a,user@b:port}. */
  Optional<String> proxyJump() {
    return options.firstSet("proxyjump").map(value -> PercentTokens.expand(value, tokens()));
  }

  /** The command that leads there in place of a connection, ready for a shell. */
  Optional<String> proxyCommand() {
    return options.firstSet("proxycommand").map(value -> PercentTokens.expand(value, tokens()));
  }

  /** The settings with what ssh_config says of time: how long to wait, and when to give up. */
  SshSettings adjusted(SshSettings settings) {
    SshSettings adjusted =
        seconds("connecttimeout")
            .map(limit -> settings.withLimits(limit, settings.loginLimit()))
            .orElse(settings);
    int missed =
        options
            .first("serveralivecountmax")
            .filter(count -> count.matches("[0-9]{1,4}"))
            // With 0 ssh ends a connection that is merely quiet, before it asks anything.
            .map(count -> Math.max(1, Integer.parseInt(count)))
            .orElse(settings.missedHeartbeats());
    return adjusted.withHeartbeat(
        seconds("serveraliveinterval").orElse(settings.heartbeat()), missed);
  }

  /** Empty where it is not set, none, or 0: then ssh waits as long as it takes, and we do not. */
  private Optional<Duration> seconds(String keyword) {
    OptionalLong found =
        options.firstSet(keyword).map(SshTimes::seconds).orElse(OptionalLong.empty());
    return found.isPresent() && found.getAsLong() > 0
        ? Optional.of(Duration.ofSeconds(Math.min(found.getAsLong(), MOST_SECONDS)))
        : Optional.empty();
  }

  private Map<Character, String> tokens() {
    return Map.of('h', address, 'n', target.host(), 'p', String.valueOf(port), 'r', user);
  }
}
