package dev.eagle3.host.ssh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What known_hosts has of one destination.
 *
 * @param ofHost under its own name
 * @param withoutPort under its address alone, where the port is a special one; as for OpenSSH, such
 *     a line can make a key good but never wrong
 */
record KnownKeys(List<KnownKey> ofHost, List<KnownKey> withoutPort) {
  private static final int DEFAULT_PORT = 22;

  /** Copies the lists. */
  KnownKeys {
    ofHost = List.copyOf(ofHost);
    withoutPort = List.copyOf(withoutPort);
  }

  /** Reads the files of a destination. */
  static KnownKeys of(SshDestination destination) throws IOException {
    List<Path> files = new ArrayList<>(destination.knownHosts());
    files.addAll(destination.systemKnownHosts());
    KnownHosts hosts = new KnownHosts(files);
    String address = destination.address();
    boolean hasOwnName = !destination.hostKeyName().equals(KnownHosts.name(address, DEFAULT_PORT));
    boolean isAlias =
        !destination.hostKeyName().equals(KnownHosts.name(address, destination.port()));
    return new KnownKeys(
        hosts.find(destination.hostKeyName()),
        hasOwnName && !isAlias ? hosts.find(KnownHosts.name(address, DEFAULT_PORT)) : List.of());
  }

  /** The lines that make a key good. */
  List<KnownKey> plain() {
    return ofHost.stream().filter(key -> key.marker().isEmpty()).toList();
  }

  /** The keys that may sign certificates for the host. */
  List<KnownKey> authorities() {
    return all().filter(key -> key.marker().equals("@cert-authority")).toList();
  }

  /** The line that makes a key bad, of a host or of an authority. */
  Optional<KnownKey> revoked(byte[] key) {
    return all().filter(line -> line.marker().equals("@revoked") && line.is(key)).findFirst();
  }

  /** The types of key to ask the server for first. */
  List<String> types() {
    return all().filter(key -> key.marker().isEmpty()).map(KnownKey::type).distinct().toList();
  }

  private Stream<KnownKey> all() {
    return Stream.concat(ofHost.stream(), withoutPort.stream());
  }
}
