package dev.eagle3.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a host is reached; the same for all commands that reach one. */
final class ConnectionOptions {
  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = {
        "The GPU host: [user@]host[:port], a Host of ~/.ssh/config, or \"local\" for this machine"
            + " without SSH. EAGLE3_HOST names a default."
      })
  @Nullable String host;

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

  /** The host that stands on this command line. */
  Optional<String> given() {
    return Optional.ofNullable(host);
  }
}
