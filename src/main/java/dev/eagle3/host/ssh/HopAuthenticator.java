package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.sshd.client.future.AuthFuture;
import org.apache.sshd.client.session.ClientSession;
import org.jspecify.annotations.Nullable;

/** Logs in to one hop: gathers what its user has to log in with, and offers it. */
final class HopAuthenticator {
  private static final Duration MOST_FOR_LIST = Duration.ofSeconds(3);

  /** Keys that are of no use to us, and worth a word when nothing else works. */
  private static final List<String> IN_SECURITY_KEYS = List.of("id_ed25519_sk", "id_ecdsa_sk");

  private final SshDestination destination;
  private final SshSettings settings;
  private final Consumer<String> notes;
  private final LoginOptions options;
  private final LoginAsker asker;
  private final KeyUnlocker unlocker;
  private final LoginReport report = new LoginReport();
  private final List<KeyFile> files = new ArrayList<>();
  private final List<Certificate> certificates = new ArrayList<>();
  private @Nullable CompletableFuture<List<LoginKey>> held;

  private HopAuthenticator(
      SshDestination destination,
      SshSettings settings,
      UnlockedKeys unlocked,
      Consumer<String> notes) {
    this.destination = destination;
    this.settings = settings;
    this.notes = notes;
    this.options = LoginOptions.of(destination, settings);
    this.asker = new LoginAsker(settings.prompter(), options.batch());
    this.unlocker = new KeyUnlocker(asker, unlocked);
  }

  /**
   * Gets what is needed, before anything is connected.
   *
   * @param notes gets a sentence about an agent that is of no use
   * @throws Failure {@code UNREACHABLE} when there is nothing to log in with
   */
  static HopAuthenticator prepare(
      SshDestination destination,
      SshSettings settings,
      UnlockedKeys unlocked,
      ConnectFailures failures,
      Consumer<String> notes) {
    HopAuthenticator made = new HopAuthenticator(destination, settings, unlocked, notes);
    if (made.options.methods().isEmpty()) {
      throw made.failures(failures).noMethod();
    }
    made.gather();
    if (!made.isHopeful(unlocked)) {
      throw made.failures(failures).noIdentity();
    }
    return made;
  }

  /** Whether anything may log in; else the report says why not. */
  private boolean isHopeful(UnlockedKeys unlocked) {
    boolean usable =
        files.stream()
            .anyMatch(file -> file.form() == KeyFile.Form.OPEN || unlocked.of(file).isPresent());
    if (asker.canAsk() || usable || !held().isEmpty()) {
      return true;
    }
    for (KeyFile file : files) {
      if (file.isLocked()) {
        report.passOver(unlocker.refusal(file));
      }
    }
    keys(); // says so of public halves, and of certificates, that stand alone
    return false;
  }

  /**
   * Logs in; blocks, at most for the login limit of the settings and while a person is asked.
   *
   * @throws Failure {@code UNREACHABLE} when the server does not let one in
   */
  void logIn(OpenHop hop) {
    ClientSession session = hop.session();
    String who = destination.user() + "@" + destination.target().host();
    session.setAttribute(Login.KEY, new Login(who, options, asker, report, this::keys));
    session.setUserInteraction(new BannerKeeper(report));
    try {
      AuthFuture future = session.auth();
      await(future);
      future.verify(settings.loginLimit());
    } catch (IOException refused) {
      throw failures(hop.failures()).noLogin(refused, hop.watch());
    }
  }

  private LoginFailures failures(ConnectFailures ofHop) {
    return new LoginFailures(ofHop, options, asker, report);
  }

  /** Until it is over, or has taken longer than the limit without the time that people took. */
  private void await(AuthFuture future) throws IOException {
    long begin = System.nanoTime();
    while (!future.isDone()) {
      long taken = System.nanoTime() - begin - asker.spentNanos();
      Duration left = settings.loginLimit().minusNanos(taken);
      if (left.isNegative() || left.isZero()) {
        throw new IOException("no answer", new TimeoutException());
      }
      future.await(left.plusMillis(1));
    }
  }

  private void gather() {
    if (!options.methods().contains(LoginOptions.PUBLIC_KEY)) {
      return;
    }
    options.agent().ifPresent(socket -> held = CompletableFuture.supplyAsync(() -> list(socket)));
    HeadStart.awaitLibrary();
    for (Path file : identityFiles()) {
      try {
        files.add(KeyFileReader.read(file));
      } catch (NoSuchFileException missing) {
        // Most of the usual files exist nowhere; one that was asked for should.
        if (destination.identityFilesChosen()) {
          report.passOver(file + " does not exist");
        }
      } catch (LoginKeyException unusable) {
        report.passOver(unusable);
      }
    }
    Set<Path> wanted = new LinkedHashSet<>(options.certificates());
    files.stream()
        .map(file -> KeyFileReader.beside(file.file(), "-cert.pub"))
        .filter(Files::exists)
        .forEach(wanted::add);
    for (Path file : wanted) {
      try {
        certificates.add(Certificate.read(file));
      } catch (IOException none) {
        report.passOver(file + " cannot be read as a certificate");
      }
    }
  }

  private List<Path> identityFiles() {
    List<Path> all = new ArrayList<>(destination.identityFiles());
    if (!destination.identityFilesChosen()) {
      IN_SECURITY_KEYS.forEach(name -> all.add(settings.home().resolve(".ssh").resolve(name)));
    }
    return all;
  }

  private LoginKeys.Order keys() {
    // Servers that have no questions count keyboard-interactive as a try, and the password as one.
    int tries = LoginKeys.USUAL_TRIES - (asker.canAsk() ? 2 : 0);
    return new LoginKeys(files, certificates, held(), unlocker, destination.user())
        .order(options, tries, report);
  }

  private List<LoginKey> held() {
    return held == null ? List.of() : held.join();
  }

  private List<LoginKey> list(Path socket) {
    AgentClient agent = new AgentClient(socket);
    Duration limit =
        settings.connectLimit().compareTo(MOST_FOR_LIST) < 0
            ? settings.connectLimit()
            : MOST_FOR_LIST;
    try {
      return LoginKeys.held(
          agent.keys(limit).stream().map(key -> agentKey(agent, key)), destination.user());
    } catch (IOException useless) {
      String clause = "the ssh-agent at " + socket + " " + Printable.line(said(useless), 200);
      report.passOver(clause);
      if (useless instanceof AgentClient.AgentTroubleException) {
        notes.accept(clause + "; going on without it");
      }
      return List.of();
    }
  }

  private AgentKey agentKey(AgentClient agent, AgentClient.Held held) {
    return new AgentKey(
        agent, held.blob(), AgentKey.nameOf(held), settings.loginLimit(), asker, notes);
  }

  private static String said(IOException thrown) {
    return String.valueOf(thrown.getMessage());
  }
}
