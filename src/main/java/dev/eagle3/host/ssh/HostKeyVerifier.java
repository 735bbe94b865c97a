package dev.eagle3.host.ssh;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Holds a server's key against known_hosts. SSHD only hears yes or no; why it was no is kept in
 * {@link #failure}.
 */
final class HostKeyVerifier implements ServerKeyVerifier {
  private final SshDestination destination;
  private final KnownKeys known;
  private final boolean acceptNew;
  private final Consumer<String> notes;
  private volatile @Nullable Failure failure;

  /**
   * A verifier for one connection.
   *
   * @param known what known_hosts has of the destination
   * @param notes gets a sentence when a new key was taken
   */
  HostKeyVerifier(
      SshDestination destination, KnownKeys known, boolean acceptNew, Consumer<String> notes) {
    this.destination = destination;
    this.known = known;
    this.acceptNew = acceptNew;
    this.notes = notes;
  }

  /** Why the key was refused; empty unless it was. */
  Optional<Failure> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public boolean verifyServerKey(ClientSession session, SocketAddress remote, PublicKey key) {
    ByteArrayBuffer buffer = new ByteArrayBuffer();
    buffer.putRawPublicKey(key);
    failure = refusal(buffer.getCompactData());
    return failure == null;
  }

  /** Null when the key is good. */
  private @Nullable Failure refusal(byte[] blob) {
    String type = HostKeys.type(blob);
    String offered = HostKeys.shownType(type) + " " + HostKeys.fingerprint(blob);
    for (KnownKey key : known.ofHost()) {
      if (key.marker().equals("@revoked") && key.is(blob)) {
        return refused("its key " + offered + " is revoked in " + key.where());
      }
    }
    List<KnownKey> plain = known.ofHost().stream().filter(key -> key.marker().isEmpty()).toList();
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
    return acceptNew ? taken(blob, offered) : unknown(offered);
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
    Optional<KnownKey> authority =
        known.ofHost().stream().filter(key -> key.marker().equals("@cert-authority")).findFirst();
    String why =
        authority
            .map(
                key ->
                    "known through the certificate authority of "
                        + key.where()
                        + " only, which is not supported yet")
            .orElseGet(() -> "not in " + searched());
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
      KnownHosts.append(file, destination.hostKeyName(), blob);
    } catch (IOException unwritable) {
      return refused("its new host key cannot be written to " + file).causedBy(unwritable);
    }
    notes.accept(destination.shown() + ": new host key " + offered + ", now in " + file);
    return null;
  }

  private Failure refused(String problem) {
    return Failure.of(
        Exit.UNREACHABLE, destination.target().toString(), destination.shown() + ": " + problem);
  }
}
