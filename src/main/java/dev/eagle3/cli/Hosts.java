package dev.eagle3.cli;

import dev.eagle3.host.Host;
import dev.eagle3.host.ReconnectingHost;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.host.ssh.SshConnector;
import dev.eagle3.host.ssh.SshSettings;
import dev.eagle3.host.via.ViaConnector;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Secrets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reaches the hosts that command lines name. */
final class Hosts {
  static final String LOCAL = "local";
  static final String DEFAULT_HOST = "EAGLE3_HOST";

  private final Surroundings surroundings;
  private final ConnectionOptions options;
  private final EventSink sink;
  private final Runnable beforeAsking;
  private final Optional<String> via;
  private final Consumer<String> connecting;

  /** One for all connections: a key that the user unlocked stays unlocked for a second one. */
  private @Nullable SshConnector connector;

  /**
   * Reaches hosts as the command line says.
   *
   * @param beforeAsking makes the terminal ready for a question
   * @param connecting gets the name of a host that is being connected to, and an empty one then
   */
  Hosts(
      Surroundings surroundings,
      ConnectionOptions options,
      EventSink sink,
      Runnable beforeAsking,
      Consumer<String> connecting) {
    this(surroundings, options, sink, beforeAsking, connecting, Optional.ofNullable(options.via));
  }

  private Hosts(
      Surroundings surroundings,
      ConnectionOptions options,
      EventSink sink,
      Runnable beforeAsking,
      Consumer<String> connecting,
      Optional<String> via) {
    this.connecting = connecting;
    this.surroundings = surroundings;
    this.options = options;
    this.sink = sink;
    this.beforeAsking = beforeAsking;
    this.via = via;
    if (via.filter(String::isBlank).isPresent()) {
      throw Failure.of(Exit.USAGE, "--via", "is an empty command").orTry("--via 'ssh HOST sh'");
    }
    if (via.isPresent() && (options.sshConfig != null || options.acceptNewHostKey)) {
      String flag = options.sshConfig == null ? "--accept-new-host-key" : "-F";
      throw Failure.of(
              Exit.USAGE, flag, "is for eagle3's own SSH, which a host with --via does not use")
          .orTry("the same words in the command: --via 'ssh -F FILE HOST sh'");
    }
  }

  /** The same, with the command that a profile says instead of that of the command line. */
  Hosts through(Optional<String> command) {
    return new Hosts(surroundings, options, sink, beforeAsking, connecting, command);
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
    if (via.isEmpty() && name.equals(LOCAL)) {
      return new LocalHost(LOCAL, surroundings.environment());
    }
    connecting.accept(name);
    try {
      return ReconnectingHost.connect(
          () -> surroundings.connection().apply(connectOnce(name)),
          options.giveUpAfter,
          note -> sink.emit(new Event.Check("host", "connection", "warning", note)));
    } finally {
      connecting.accept("");
    }
  }

  private Host connectOnce(String name) {
    if (via.isPresent()) {
      // It may ask on the terminal itself.
      beforeAsking.run();
      return new ViaConnector(surroundings.environment()).connect(via.get(), name);
    }
    return connector().connect(name);
  }

  private synchronized SshConnector connector() {
    if (connector == null) {
      connector =
          new SshConnector(
              settings(), note -> sink.emit(new Event.Check("host", "connection", "note", note)));
    }
    return connector;
  }

  private SshSettings settings() {
    SshSettings settings =
        SshSettings.of(surroundings.home())
            .withEnvironment(surroundings.environment())
            .withPrompter(TerminalPrompter.of(surroundings, beforeAsking));
    Optional<String> agent = surroundings.variable("SSH_AUTH_SOCK");
    if (agent.isPresent()) {
      settings = settings.withAgent(Path.of(agent.get()));
    }
    if (options.sshConfig != null) {
      settings = settings.withConfigFile(options.sshConfig);
    }
    return options.acceptNewHostKey ? settings.acceptingNewHostKeys() : settings;
  }

  /**
   * The words that lead another command to the same runs: {@code --host H [-F FILE] [--state-dir
   * DIR]}, or {@code --via CMD [--host NAME] [--state-dir DIR]}.
   *
   * @throws Failure {@code USAGE} for a state folder that depends on where a shell starts: there
   *     would be no runs in it, whatever there is
   */
  String words(String name, Optional<String> stateDir) {
    if (stateDir.filter(folder -> !folder.startsWith("/")).isPresent()) {
      throw Failure.of(
          Exit.USAGE, "--state-dir", "must be an absolute path on the host, not " + stateDir.get());
    }
    String config =
        Optional.ofNullable(options.sshConfig)
            .map(file -> " -F " + ShellQuote.word(file.toString()))
            .orElse("");
    String state = stateDir.map(dir -> " --state-dir " + ShellQuote.word(dir)).orElse("");
    String host = "--host " + ShellQuote.word(name);
    if (via.isEmpty()) {
      return host + config + state;
    }
    boolean named = !name.equals(ViaConnector.nameOf(via.get()));
    return "--via "
        + ShellQuote.word(Secrets.shellText(via.get()))
        + (named ? " " + host : "")
        + state;
  }
}
