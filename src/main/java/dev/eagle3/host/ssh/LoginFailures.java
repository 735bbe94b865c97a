package dev.eagle3.host.ssh;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Says in a sentence why a login did not come about: what was tried, what else would do. */
final class LoginFailures {
  private final ConnectFailures failures;
  private final SshDestination destination;
  private final LoginOptions options;
  private final LoginAsker asker;
  private final LoginReport report;

  LoginFailures(
      ConnectFailures failures, LoginOptions options, LoginAsker asker, LoginReport report) {
    this.failures = failures;
    this.destination = failures.destination();
    this.options = options;
    this.asker = asker;
    this.report = report;
  }

  /** ssh_config leaves no way to log in that is known here. */
  Failure noMethod() {
    return failures
        .failure(
            "ssh_config allows no way to log in that eagle3 has: keys, keyboard-interactive,"
                + " password")
        .orTry(failures.viaSsh());
  }

  private Optional<String> tryNext() {
    return report
        .tryNext()
        .map(words -> words.equals(LoginKeyException.LET_SSH_CONNECT) ? failures.viaSsh() : words);
  }

  /** There is no key to log in with, and nobody to ask. */
  Failure noIdentity() {
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
    return failures
        .failure("no key to log in with: " + String.join("; ", parts))
        .orTry(tryNext().orElse("ssh-keygen -t ed25519 && ssh-copy-id " + destination.sshWords()));
  }

  /** The server did not let one in. */
  Failure noLogin(IOException thrown, ConnectionWatch watch) {
    boolean late = ConnectFailures.hasCause(thrown, TimeoutException.class);
    boolean tried = !report.refused().isEmpty() || !report.passedOver().isEmpty();
    if (late || (!tried && report.methods().isEmpty())) {
      return failures
          .failure(
              destination.shown()
                  + ": login as "
                  + destination.user()
                  + " failed: "
                  + watch.farewell().map(ConnectFailures::shown).orElseGet(() -> lateOr(thrown))
                  + report
                      .banner()
                      .map(words -> "; it says: " + ConnectFailures.shown(words))
                      .orElse(""))
          .orTry(failures.sshCommand())
          .causedBy(thrown);
    }
    return failures
        .failure(
            destination.shown()
                + ": login as "
                + destination.user()
                + ": "
                + String.join("; ", parts(thrown, watch)))
        .orTry(afterRefusal(thrown, watch))
        .causedBy(thrown);
  }

  private List<String> parts(IOException thrown, ConnectionWatch watch) {
    List<String> parts = new ArrayList<>();
    if (!report.taken().isEmpty()) {
      parts.add("took " + String.join(", ", report.taken()) + " and wants more");
    }
    if (!report.refused().isEmpty()) {
      parts.add("refused " + String.join(", ", report.refused()));
    }
    parts.addAll(report.passedOver());
    if (!hasMessage(thrown, "No more authentication methods")) {
      String farewell = watch.farewell().orElseGet(() -> ConnectFailures.said(thrown));
      String limit = isTooMany(thrown, watch) ? " (MaxAuthTries in its sshd_config)" : "";
      parts.add("the server ended it: " + ConnectFailures.shown(farewell) + limit);
    }
    report.banner().ifPresent(words -> parts.add("it says: " + ConnectFailures.shown(words)));
    if (report.unoffered() > 0) {
      parts.add(report.unoffered() + " more keys of the ssh-agent were kept back");
    }
    if (!report.methods().isEmpty()) {
      parts.add("the server takes " + ConnectFailures.shown(String.join(", ", report.methods())));
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

  private String afterRefusal(IOException thrown, ConnectionWatch watch) {
    if (report.tryNext().isPresent()) {
      return tryNext().orElseThrow();
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
        : failures.sshCommand();
  }

  private String lateOr(IOException thrown) {
    return ConnectFailures.hasCause(thrown, TimeoutException.class)
        ? "no answer within " + ConnectFailures.seconds(failures.settings().loginLimit())
        : ConnectFailures.shown(ConnectFailures.said(thrown));
  }

  private static boolean isTooMany(IOException thrown, ConnectionWatch watch) {
    String words = "Too many authentication";
    return hasMessage(thrown, words)
        || watch.farewell().filter(it -> it.contains(words)).isPresent();
  }

  private static boolean hasMessage(@Nullable Throwable thrown, String words) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (ConnectFailures.said(at).contains(words)) {
        return true;
      }
    }
    return false;
  }
}
