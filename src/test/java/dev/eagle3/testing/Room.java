package dev.eagle3.testing;

import dev.eagle3.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A host inside this machine with mounts of its own, and on demand with processes of its own: what
 * is mounted there is mounted nowhere else. All other folders are those of this machine.
 */
public final class Room implements AutoCloseable {
  private final Namespace namespace;

  private Room(Namespace namespace) {
    this.namespace = namespace;
  }

  /**
   * Opens one.
   *
   * @param folder where its set-up may be written to
   * @param processes whether those inside see only each other; they end with the room
   * @param setup shell text that mounts; {@code $1} is {@code argument}
   */
  public static Room open(Path folder, boolean processes, String setup, String argument)
      throws IOException {
    Path script =
        Files.writeString(
            folder.resolve("room.sh"),
            "set -eu\nmount --make-rprivate /\n" + setup + "\necho ready\nexec cat\n");
    return new Room(Namespace.start(processes, script, argument));
  }

  /** The host. Words before {@code sh -s}: what runs its shell. */
  public Host host(Map<String, String> environment, String... words) {
    return namespace.host(environment, List.of(words), Map.of());
  }

  /** Runs shell text inside; what it printed on both streams. */
  public String run(String text) throws IOException {
    return namespace.run(text);
  }

  @Override
  public void close() {
    namespace.close();
  }
}
