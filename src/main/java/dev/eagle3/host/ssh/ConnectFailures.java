package dev.eagle3.host.ssh;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.session.helpers.MissingAttachedSessionException;
import org.jspecify.annotations.Nullable;

/** Says in a sentence why a connection did not come about. */
final class ConnectFailures {
  private static final int MOST_WORDS = 200;

  private static final String NO_COMMON = "Unable to negotiate key exchange for ";

  private static final String WITHOUT_A_WORD =
      "hung up without a word of SSH (MaxStartups in its sshd_config, a firewall, or not an SSH"
          + " server)";

  /** What OpenSSH's server says before it hangs up, by version. */
  private static final List<String> TOO_MANY =
      List.of("Exceeded MaxStartups", "Not allowed at this time");

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

  /** The hop that these are about. */
  SshDestination destination() {
    return destination;
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
          : watch.trouble().map(ConnectFailures::exchangeTrouble).orElse("the key exchange failed");
    }
    Optional<String> refusal =
        watch.preamble().filter(line -> TOO_MANY.stream().anyMatch(line::contains));
    if (refusal.isPresent()) {
      return "too many connections to it are being made at this moment (MaxStartups or"
          + " PerSourcePenalties in its sshd_config); it says: "
          + shown(refusal.get());
    }
    if (watch.preamble().isPresent()) {
      return "what answers there does not speak SSH; it says: " + shown(watch.preamble().get());
    }
    if (watch.trouble().filter(StreamCorruptedException.class::isInstance).isPresent()) {
      return "what answers there does not speak SSH";
    }
    return stillOpen ? "took the connection and said nothing within " + limit : WITHOUT_A_WORD;
  }

  /** Where two lists have nothing in common, SSHD says it at length, with ours first. */
  private static String exchangeTrouble(Throwable thrown) {
    String words = said(thrown);
    String after = " / server: ";
    int client = words.indexOf(" (client: ");
    int server = words.indexOf(after);
    return words.startsWith(NO_COMMON) && client > 0 && server > client
        ? "no "
            + shown(words.substring(NO_COMMON.length(), client))
            + " in common; the server has only "
            + shown(words.substring(server + after.length()).replace(")", ""))
        : "the key exchange failed: " + shown(words);
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
  String sshCommand() {
    return "ssh " + configFile() + "-v " + destination.sshWords() + " true";
  }

  /** The way round: the user's own ssh carries everything, to the host that the user named. */
  String viaSsh() {
    return "--via " + ShellQuote.word("ssh " + configFile() + wanted.sshWords() + " sh");
  }

  /** The way round a server that runs no commands. */
  String viaLoginShell() {
    return "--via "
        + ShellQuote.word("ssh " + configFile() + wanted.sshWords())
        + ", which gives the commands to that login shell";
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
    if (hasCause(thrown, MissingAttachedSessionException.class)) {
      // The server was faster than SSHD, which has nowhere to put what it may have said.
      return WITHOUT_A_WORD;
    }
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof ConnectException || at instanceof SocketException) {
        String words = said(at).toLowerCase(Locale.ROOT);
        if (words.contains("refused")) {
          return "connection refused: nothing listens there, or a firewall says so";
        }
        return shown(words)
            + (at instanceof BindException
                ? " (BindAddress "
                    + shown(destination.options().first("bindaddress").orElse(""))
                    + " of ssh_config)"
                : "");
      }
    }
    return shown(said(thrown));
  }

  static String seconds(Duration limit) {
    return limit.toMillis() % 1000 == 0
        ? limit.toSeconds() + " s"
        : limit.toMillis() / 1000.0 + " s";
  }

  /** Whether a kind of exception is behind this one. */
  static boolean hasCause(@Nullable Throwable thrown, Class<? extends Throwable> kind) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (kind.isInstance(at)) {
        return true;
      }
    }
    return false;
  }

  /** What an exception says; not fit to print. */
  static String said(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  /** Foreign words, cut and fit to print. */
  static String shown(String foreign) {
    return Printable.line(foreign.strip(), MOST_WORDS);
  }
}
