package dev.eagle3.host.ssh;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Holds a server's key against known_hosts. SSHD only hears yes or no; why it was no is kept in
 * {@link #failure}.
 */
final class HostKeyVerifier implements ServerKeyVerifier {
  private final SshDestination destination;
  private final KnownKeys known;
  private final HostKeyPolicy policy;
  private final HostKeyQuestion question;
  private final ConnectFailures failures;
  private final Consumer<String> notes;
  private volatile @Nullable Failure failure;
  private volatile @Nullable String badCertificate;
  private volatile byte @Nullable [] good;

  /**
   * A verifier for one connection.
   *
   * @param known what known_hosts has of the destination
   * @param notes gets a sentence when a new key was taken
   */
  HostKeyVerifier(
      SshDestination destination,
      KnownKeys known,
      SshSettings settings,
      ConnectFailures failures,
      Consumer<String> notes) {
    this.destination = destination;
    this.known = known;
    this.policy = settings.acceptNewHostKey() ? HostKeyPolicy.ACCEPT : destination.hostKeyPolicy();
    this.question = new HostKeyQuestion(settings.prompter());
    this.failures = failures;
    this.notes = notes;
  }

  /** Why the key was refused; empty unless it was. */
  Optional<Failure> failure() {
    return Optional.ofNullable(failure);
  }

  /** Whether the user is being asked about the key, which takes its time. */
  boolean isAsking() {
    return question.isOpen();
  }

  /** Hears why a certificate is not good; its key then counts as one without. */
  void certificateIsBad(String why) {
    badCertificate = why;
  }

  @Override
  public boolean verifyServerKey(ClientSession session, SocketAddress remote, PublicKey key) {
    byte[] offered = blob(key);
    if (Arrays.equals(offered, good)) {
      // It comes again with each new exchange of keys.
      return true;
    }
    failure =
        key instanceof OpenSshCertificate certificate ? refusal(certificate) : refusal(offered);
    good = failure == null ? offered : null;
    return failure == null;
  }

  private static byte[] blob(PublicKey key) {
    ByteArrayBuffer buffer = new ByteArrayBuffer();
    buffer.putRawPublicKey(key);
    return buffer.getCompactData();
  }

  /**
   * Null when a certificate is good: SSHD has checked its signature, time, principals and options
   * against the name of the host; what is left is whether its authority may speak for the host.
   */
  private @Nullable Failure refusal(OpenSshCertificate certificate) {
    byte[] authority = blob(certificate.getCaPubKey());
    Optional<KnownKey> revoked = known.revoked(authority);
    if (revoked.isPresent()) {
      return refused(
          "the authority of its certificate, "
              + shown(authority)
              + ", is revoked in "
              + revoked.get().where());
    }
    byte[] own = blob(certificate.getCertPubKey());
    Optional<KnownKey> ownRevoked = known.revoked(own);
    if (ownRevoked.isPresent()) {
      return refused("its key " + shown(own) + " is revoked in " + ownRevoked.get().where());
    }
    if (known.authorities().stream().anyMatch(key -> key.is(authority))) {
      return null;
    }
    badCertificate = "its certificate is of another authority, " + shown(authority);
    return refusal(own);
  }

  /** Null when the key is good. */
  private @Nullable Failure refusal(byte[] blob) {
    String type = HostKeys.type(blob);
    String offered = shown(blob);
    Optional<KnownKey> revoked = known.revoked(blob);
    if (revoked.isPresent()) {
      return refused("its key " + offered + " is revoked in " + revoked.get().where());
    }
    List<KnownKey> plain = known.plain();
    if (plain.stream().anyMatch(key -> key.is(blob))) {
      return null;
    }
    if (!plain.isEmpty()) {
      KnownKey other =
          plain.stream().filter(key -> key.type().equals(type)).findFirst().orElse(plain.get(0));
      return changed(offered, other);
    }
    if (known.withoutPort().stream().anyMatch(key -> key.marker().isEmpty() && key.is(blob))) {
      return null;
    }
    return switch (policy) {
      case ACCEPT -> taken(blob, offered);
      case REFUSE -> unknown(offered);
      case ASK ->
          switch (question.ask(destination.shown(), offered)) {
            case YES -> taken(blob, offered);
            case NO ->
                refused("its host key " + offered + " is not known, and you did not take it");
            case NOBODY -> unknown(offered);
          };
    };
  }

  private static String shown(byte[] blob) {
    return HostKeys.shownType(HostKeys.type(blob)) + " " + HostKeys.fingerprint(blob);
  }

  private Failure changed(String offered, KnownKey other) {
    return refused(
            "its host key has changed: it offers "
                + offered
                + ", "
                + other.where()
                + " has "
                + HostKeys.shownType(other.type())
                + " "
                + other.fingerprint()
                + "; the machine was set up anew, or somebody stands in between")
        .orTry(
            "if you know why it changed: ssh-keygen -f "
                + ShellQuote.word(other.file().toString())
                + " -R "
                + ShellQuote.word(destination.hostKeyName()));
  }

  private Failure unknown(String offered) {
    String bad = badCertificate;
    if (bad == null && !known.authorities().isEmpty()) {
      bad = "it shows no certificate of the authority of " + known.authorities().get(0).where();
    }
    String why = "not in " + searched() + (bad == null ? "" : "; " + bad);
    return refused("its host key " + offered + " is " + why)
        .orTry(
            "compare it with the host's own (there: ssh-keygen -lf /etc/ssh/ssh_host_"
                + offered.substring(0, offered.indexOf(' ')).toLowerCase(Locale.ROOT)
                + "_key.pub), then the same command with --accept-new-host-key");
  }

  private String searched() {
    List<Path> files = destination.knownHosts().stream().filter(Files::exists).toList();
    return files.isEmpty()
        ? "a known_hosts file"
        : String.join(", ", files.stream().map(Path::toString).toList());
  }

  private @Nullable Failure taken(byte[] blob, String offered) {
    if (destination.knownHosts().isEmpty()) {
      notes.accept(
          destination.shown() + ": took the host key " + offered + " for this connection only");
      return null;
    }
    Path file = destination.knownHosts().get(0);
    try {
      boolean hashed =
          destination.options().first("hashknownhosts").orElse("no").equalsIgnoreCase("yes");
      KnownHosts.append(file, destination.hostKeyName(), blob, hashed);
    } catch (IOException unwritable) {
      return refused("its new host key cannot be written to " + file).causedBy(unwritable);
    }
    notes.accept(destination.shown() + ": new host key " + offered + ", now in " + file);
    return null;
  }

  private Failure refused(String problem) {
    return failures.failure(destination.shown() + ": " + problem);
  }
}
