package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Says in a sentence why a connection did not come about. */
final class ConnectFailures {
  private static final int MOST_WORDS = 200;

  private final SshDestination destination;
  private final SshSettings settings;

  ConnectFailures(SshDestination destination, SshSettings settings) {
    this.destination = destination;
    this.settings = settings;
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
        .orTry("ssh -v " + destination.sshWords() + " true")
        .causedBy(thrown);
  }

  /**
   * Connected, but no key exchange came about; a refused host key is told by its verifier.
   *
   * @param stillOpen whether the connection still stands, so that only time ran out
   */
  Failure noKeyExchange(ConnectionWatch watch, boolean stillOpen) {
    Failure failure =
        failure(destination.shown() + ": " + exchangeProblem(watch, stillOpen))
            .orTry("ssh -v " + destination.sshWords() + " true");
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
    return stillOpen
        ? "took the connection and said nothing within " + limit
        : "hung up without a word of SSH (MaxStartups in its sshd_config, a firewall, or not an SSH"
            + " server)";
  }

  /** There is no key to log in with. */
  Failure noIdentity(List<String> passedOver) {
    String tried =
        String.join(", ", destination.identityFiles().stream().map(Path::toString).toList());
    String problem =
        passedOver.isEmpty()
            ? "no key to log in with: none of " + tried + " exists"
            : "no key to log in with: " + String.join("; ", passedOver);
    return failure(problem + "; keys of an ssh-agent and passwords are not supported yet")
        .orTry("ssh-keygen -t ed25519 && ssh-copy-id " + destination.sshWords());
  }

  /** The server took none of the keys. */
  Failure noLogin(
      IOException thrown, ConnectionWatch watch, LoginReport report, List<String> passedOver) {
    if (hasCause(thrown, TimeoutException.class) || report.refused().isEmpty()) {
      return failure(
              destination.shown()
                  + ": login as "
                  + destination.user()
                  + " failed: "
                  + watch.farewell().map(ConnectFailures::shown).orElseGet(() -> lateOr(thrown)))
          .orTry("ssh -v " + destination.sshWords() + " true")
          .causedBy(thrown);
    }
    List<String> parts = new ArrayList<>();
    parts.add(
        "refused " + String.join(", ", report.refused().stream().map(Identity::shown).toList()));
    parts.addAll(passedOver);
    if (!report.methods().isEmpty()) {
      parts.add("the server takes " + shown(String.join(", ", report.methods())));
    }
    parts.add("keys of an ssh-agent and passwords are not supported yet");
    return failure(
            destination.shown()
                + ": login as "
                + destination.user()
                + ": "
                + String.join("; ", parts))
        .orTry(
            "ssh-copy-id -i " + report.refused().get(0).file() + ".pub " + destination.sshWords())
        .causedBy(thrown);
  }

  private Failure failure(String problem) {
    return Failure.of(Exit.UNREACHABLE, destination.target().toString(), problem);
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
