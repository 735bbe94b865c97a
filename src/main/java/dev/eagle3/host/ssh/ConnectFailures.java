package dev.eagle3.host.ssh;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.jspecify.annotations.Nullable;

/** Says in a sentence why a connection did not come about. */
final class ConnectFailures {
  private static final int MOST_WORDS = 200;

  private final SshTarget wanted;
  private final SshDestination destination;
  private final SshSettings settings;
  private final String through;

  /**
   * Words for one hop.
   *
   * @param wanted the host that the user named, where the way leads
   * @param settings those of the destination
   * @param through what the hop is reached through, as in {@code jump host bastion}; empty:
   *     directly
   */
  ConnectFailures(
      SshTarget wanted, SshDestination destination, SshSettings settings, String through) {
    this.wanted = wanted;
    this.destination = destination;
    this.settings = settings;
    this.through = through;
  }

  /** The settings that hold for the destination. */
  SshSettings settings() {
    return settings;
  }

  Failure noAddress() {
    return failure("no machine has the name " + destination.address());
  }

  Failure unreadable(IOException thrown) {
    return failure("a known_hosts file cannot be read: " + Printable.line(said(thrown), MOST_WORDS))
        .causedBy(thrown);
  }

  /** The connection itself failed. */
  Failure noConnection(InetAddress address, IOException thrown) {
    return failure(where(address) + ": " + connectionProblem(thrown))
        .orTry(sshCommand())
        .causedBy(thrown);
  }

  /** The hop below does not forward a connection. */
  Failure notForwarded(OpenHop below, IOException refused) {
    String jump = "jump host " + below.destination().target();
    if (!below.session().isOpen()) {
      return failure("the connection to " + jump + " was lost: " + below.lossReason())
          .causedBy(refused);
    }
    String said = shown(said(refused));
    if (hasCause(refused, TimeoutException.class)) {
      said = "no answer within " + seconds(settings.connectLimit());
    }
    for (Throwable at = refused; at != null; at = at.getCause()) {
      if (at instanceof SshChannelOpenException answer) {
        said = shown(said(answer));
        if (answer.getReasonCode() == SshConstants.SSH_OPEN_ADMINISTRATIVELY_PROHIBITED) {
          return failure(
                  jump
                      + " does not forward connections to "
                      + destination.shown()
                      + " (AllowTcpForwarding or PermitOpen in its sshd_config): "
                      + said)
              .causedBy(refused);
        }
      }
    }
    return failure(jump + " cannot connect to " + destination.shown() + ": " + said)
        .orTry(sshCommand())
        .causedBy(refused);
  }

  /** The way to the server is there, and does not carry a connection. */
  Failure notCarried(Carrier carrier, IOException broken) {
    String words = carrier.lastWords();
    return failure(place() + ": " + (words.isEmpty() ? shown(said(broken)) : words))
        .orTry(sshCommand())
        .causedBy(broken);
  }

  /**
   * Connected, but no key exchange came about; a refused host key is told by its verifier.
   *
   * @param stillOpen whether the connection still stands, so that only time ran out
   * @param carrier what carried it
   */
  Failure noKeyExchange(ConnectionWatch watch, boolean stillOpen, Optional<Carrier> carrier) {
    String words = carrier.map(Carrier::lastWords).orElse("");
    String problem = exchangeProblem(watch, stillOpen);
    Failure failure =
        failure(place() + ": " + problem + (words.isEmpty() ? "" : "; " + words))
            .orTry(carrier.isPresent() ? viaSsh() : sshCommand());
    return watch.trouble().map(failure::causedBy).orElse(failure);
  }

  private String exchangeProblem(ConnectionWatch watch, boolean stillOpen) {
    if (watch.farewell().isPresent()) {
      return "the server ended the connection: " + shown(watch.farewell().get());
    }
    String limit = seconds(settings.connectLimit());
    if (watch.identified()) {
      return stillOpen
          ? "the key exchange took longer than " + limit
          : "the key exchange failed"
              + watch.trouble().map(thrown -> ": " + shown(said(thrown))).orElse("");
    }
    if (watch.preamble().isPresent()) {
      return "what answers there does not speak SSH; it says: " + shown(watch.preamble().get());
    }
    if (watch.trouble().filter(StreamCorruptedException.class::isInstance).isPresent()) {
      return "what answers there does not speak SSH";
    }
    return stillOpen
        ? "took the connection and said nothing within " + limit
        : "hung up without a word of SSH (MaxStartups in its sshd_config, a firewall, or not an SSH"
            + " server)";
  }

  /** ssh_config leaves no way to log in that is known here. */
  Failure noMethod() {
    return failure(
            "ssh_config allows no way to log in that eagle3 has: keys, keyboard-interactive,"
                + " password")
        .orTry(letSshConnect());
  }

  private String letSshConnect() {
    return "the same command with --via 'ssh " + destination.sshWords() + " sh' in place of --host";
  }

  private Optional<String> tryNext(LoginReport report) {
    return report
        .tryNext()
        .map(words -> words.equals(LoginKeyException.LET_SSH_CONNECT) ? letSshConnect() : words);
  }

  /** There is no key to log in with, and nobody to ask. */
  Failure noIdentity(LoginOptions options, LoginAsker asker, LoginReport report) {
    List<String> parts = new ArrayList<>();
    if (!options.methods().contains(LoginOptions.PUBLIC_KEY)) {
      parts.add("ssh_config switches keys off");
    } else {
      String tried =
          String.join(", ", destination.identityFiles().stream().map(Path::toString).toList());
      parts.add(
          report.passedOver().isEmpty()
              ? "none of " + tried + " exists"
              : String.join("; ", report.passedOver()));
      if (options.agent().isEmpty()) {
        parts.add("no ssh-agent");
      } else if (report.passedOver().stream().noneMatch(clause -> clause.contains("ssh-agent"))) {
        parts.add("the ssh-agent holds none" + (options.identitiesOnly() ? " of them" : ""));
      }
    }
    parts.add(asker.whyNot("a password"));
    return failure("no key to log in with: " + String.join("; ", parts))
        .orTry(
            tryNext(report)
                .orElse("ssh-keygen -t ed25519 && ssh-copy-id " + destination.sshWords()));
  }

  /** The server did not let one in. */
  Failure noLogin(
      IOException thrown,
      ConnectionWatch watch,
      LoginReport report,
      LoginOptions options,
      LoginAsker asker) {
    boolean late = hasCause(thrown, TimeoutException.class);
    boolean tried = !report.refused().isEmpty() || !report.passedOver().isEmpty();
    if (late || (!tried && report.methods().isEmpty())) {
      return failure(
              destination.shown()
                  + ": login as "
                  + destination.user()
                  + " failed: "
                  + watch.farewell().map(ConnectFailures::shown).orElseGet(() -> lateOr(thrown))
                  + report.banner().map(words -> "; it says: " + shown(words)).orElse(""))
          .orTry(sshCommand())
          .causedBy(thrown);
    }
    return failure(
            destination.shown()
                + ": login as "
                + destination.user()
                + ": "
                + String.join("; ", loginParts(thrown, watch, report, options, asker)))
        .orTry(afterRefusal(thrown, watch, report, options))
        .causedBy(thrown);
  }

  private List<String> loginParts(
      IOException thrown,
      ConnectionWatch watch,
      LoginReport report,
      LoginOptions options,
      LoginAsker asker) {
    List<String> parts = new ArrayList<>();
    if (!report.taken().isEmpty()) {
      parts.add("took " + String.join(", ", report.taken()) + " and wants more");
    }
    if (!report.refused().isEmpty()) {
      parts.add("refused " + String.join(", ", report.refused()));
    }
    parts.addAll(report.passedOver());
    if (!hasMessage(thrown, "No more authentication methods")) {
      String farewell = watch.farewell().orElseGet(() -> said(thrown));
      String limit = isTooMany(thrown, watch) ? " (MaxAuthTries in its sshd_config)" : "";
      parts.add("the server ended it: " + shown(farewell) + limit);
    }
    report.banner().ifPresent(words -> parts.add("it says: " + shown(words)));
    if (report.unoffered() > 0) {
      parts.add(report.unoffered() + " more keys of the ssh-agent were kept back");
    }
    if (!report.methods().isEmpty()) {
      parts.add("the server takes " + shown(String.join(", ", report.methods())));
    }
    boolean wouldAsk =
        report.methods().stream()
            .anyMatch(
                method ->
                    !method.equals(LoginOptions.PUBLIC_KEY) && options.methods().contains(method));
    if (wouldAsk && !asker.canAsk()) {
      parts.add(asker.whyNot("a password"));
    }
    return parts;
  }

  private String afterRefusal(
      IOException thrown, ConnectionWatch watch, LoginReport report, LoginOptions options) {
    if (report.tryNext().isPresent()) {
      return tryNext(report).orElseThrow();
    }
    if (isTooMany(thrown, watch) || report.unoffered() > 0) {
      return "name the one key that this host knows: IdentityFile and IdentitiesOnly yes in"
          + " ssh_config";
    }
    boolean takesKeys =
        report.methods().contains(LoginOptions.PUBLIC_KEY)
            && options.methods().contains(LoginOptions.PUBLIC_KEY);
    return takesKeys && report.refusedFile().isPresent()
        ? "ssh-copy-id -i "
            + ShellQuote.word(report.refusedFile().get() + ".pub")
            + " "
            + destination.sshWords()
        : sshCommand();
  }

  private static boolean isTooMany(IOException thrown, ConnectionWatch watch) {
    String words = "Too many authentication";
    return hasMessage(thrown, words)
        || watch.farewell().filter(it -> it.contains(words)).isPresent();
  }

  private static boolean hasMessage(@Nullable Throwable thrown, String words) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (said(at).contains(words)) {
        return true;
      }
    }
    return false;
  }

  /** A failure to reach the host that the user named, because of this hop. */
  Failure failure(String problem) {
    boolean isJump = !wanted.equals(destination.target());
    return Failure.of(
        Exit.UNREACHABLE,
        wanted.toString(),
        isJump ? "jump host " + destination.target() + ": " + problem : problem);
  }

  /** The command that lets OpenSSH's own client show more. */
  private String sshCommand() {
    return "ssh " + configFile() + "-v " + destination.sshWords() + " true";
  }

  /** The way round: the user's own ssh carries everything. */
  String viaSsh() {
    return "--via " + ShellQuote.word("ssh " + configFile() + destination.sshWords() + " sh");
  }

  private String configFile() {
    return settings
        .configFile()
        .map(file -> "-F " + ShellQuote.word(file.toString()) + " ")
        .orElse("");
  }

  private String place() {
    return destination.shown() + (through.isEmpty() ? "" : " through " + through);
  }

  private String lateOr(IOException thrown) {
    return hasCause(thrown, TimeoutException.class)
        ? "no answer within " + seconds(settings.loginLimit())
        : shown(said(thrown));
  }

  private String where(InetAddress address) {
    String literal = address.getHostAddress();
    return literal.equals(destination.address())
        ? destination.shown()
        : destination.shown() + " (" + literal + ")";
  }

  private String connectionProblem(IOException thrown) {
    if (hasCause(thrown, TimeoutException.class)) {
      return "no answer within " + seconds(settings.connectLimit());
    }
    if (hasCause(thrown, NoRouteToHostException.class)) {
      return "no route to it";
    }
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof ConnectException || at instanceof SocketException) {
        String words = said(at).toLowerCase(Locale.ROOT);
        if (words.contains("refused")) {
          return "connection refused: nothing listens there, or a firewall says so";
        }
        return shown(words);
      }
    }
    return shown(said(thrown));
  }

  static String seconds(Duration limit) {
    return limit.toMillis() % 1000 == 0
        ? limit.toSeconds() + " s"
        : limit.toMillis() / 1000.0 + " s";
  }

  private static boolean hasCause(@Nullable Throwable thrown, Class<? extends Throwable> kind) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (kind.isInstance(at)) {
        return true;
      }
    }
    return false;
  }

  private static String said(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  private static String shown(String foreign) {
    return Printable.line(foreign.strip(), MOST_WORDS);
  }
}
