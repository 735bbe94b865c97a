package dev.eagle3.cli;

import dev.eagle3.host.Host;
import dev.eagle3.host.ReconnectingHost;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.host.ssh.SshConnector;
import dev.eagle3.host.ssh.SshSettings;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.util.Optional;

/** Reaches the hosts that command lines name. */
final class Hosts {
  static final String LOCAL = "local";
  static final String DEFAULT_HOST = "EAGLE3_HOST";

  private final Surroundings surroundings;
  private final ConnectionOptions options;
  private final EventSink sink;

  Hosts(Surroundings surroundings, ConnectionOptions options, EventSink sink) {
    this.surroundings = surroundings;
    this.options = options;
    this.sink = sink;
  }

  /** The host of runs: {@code --host}, else {@code EAGLE3_HOST}. */
  String nameOfRuns() {
    return options
        .given()
        .or(() -> surroundings.variable(DEFAULT_HOST))
        .orElseThrow(
            () ->
                Failure.of(Exit.USAGE, "--host", "names the host of the run, and is missing")
                    .orTry("--host root@gpu7, or export EAGLE3_HOST=root@gpu7"));
  }

  /**
   * Connects; blocks for seconds at the most. The caller closes it.
   *
   * @throws Failure {@code UNREACHABLE}
   */
  Host connect(String name) {
    if (name.equals(LOCAL)) {
      return new LocalHost(LOCAL, surroundings.environment());
    }
    return ReconnectingHost.connect(
        () -> connectOnce(name),
        options.giveUpAfter,
        note -> sink.emit(new Event.Check("host", "connection", "warning", note)));
  }

  private Host connectOnce(String name) {
    SshSettings settings = SshSettings.of(surroundings.home());
    if (options.sshConfig != null) {
      settings = settings.withConfigFile(options.sshConfig);
    }
    if (options.acceptNewHostKey) {
      settings = settings.acceptingNewHostKeys();
    }
    return new SshConnector(
            settings, note -> sink.emit(new Event.Check("host", "connection", "note", note)))
        .connect(name);
  }

  /**
   * The words that lead another command to the same runs: {@code --host H [-F FILE] [--state-dir
   * DIR]}.
   */
  String words(String name, Optional<String> stateDir) {
    String config =
        Optional.ofNullable(options.sshConfig)
            .map(file -> " -F " + ShellQuote.word(file.toString()))
            .orElse("");
    String state = stateDir.map(dir -> " --state-dir " + ShellQuote.word(dir)).orElse("");
    return "--host " + ShellQuote.word(name) + config + state;
  }
}
