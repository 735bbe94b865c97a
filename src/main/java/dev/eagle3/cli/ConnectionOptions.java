package dev.eagle3.cli;

import dev.eagle3.host.via.ViaConnector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a host is reached; the same for all commands that reach one. */
final class ConnectionOptions {
  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = {
        "The GPU host: [user@]host[:port], also with ssh:// before it, a Host of ~/.ssh/config, or"
            + " \"local\" for this machine without SSH. EAGLE3_HOST names a default."
      })
  @Nullable String host;

  @Option(
      names = "--via",
      paramLabel = "CMD",
      description = {
        "Reach the host through this command, which gives a shell on its standard input:"
            + " 'docker exec -i NAME sh', 'kubectl exec -i POD -- sh', 'ssh HOST sh'. --host then"
            + " only names the host."
      })
  @Nullable String via;

  @Option(
      names = {"-F", "--ssh-config"},
      paramLabel = "FILE",
      description = "Read this file in place of ~/.ssh/config.")
  @Nullable Path sshConfig;

  @Option(
      names = "--accept-new-host-key",
      description = "Trust the key of a host that known_hosts does not know yet, and keep it.")
  boolean acceptNewHostKey;

  @Option(
      names = "--give-up-after",
      paramLabel = "TIME",
      converter = DurationWord.class,
      description =
          "For how long a lost connection is made again: 30s, 5m, 2h (default: 60s). What runs on"
              + " the host goes on in any case.")
  Duration giveUpAfter = Duration.ofSeconds(60);

  /** The host that stands on this command line, by its name. */
  Optional<String> given() {
    return Optional.ofNullable(host).or(() -> given(via));
  }

  /** The words of this command line for a profile: {@code host}, {@code via}. */
  Map<String, List<String>> words() {
    Map<String, List<String>> words = new LinkedHashMap<>();
    if (host != null) {
      words.put("host", List.of(host));
    }
    if (via != null) {
      words.put("via", List.of(via));
    }
    return words;
  }

  private static Optional<String> given(@Nullable String command) {
    return Optional.ofNullable(command).map(ViaConnector::nameOf);
  }
}
