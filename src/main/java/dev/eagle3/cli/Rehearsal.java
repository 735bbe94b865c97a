package dev.eagle3.cli;

import dev.eagle3.demo.server.LoopbackServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs short commands against a loopback host, for {@code scripts/eagle3}: the JVM notes which
 * classes that takes, and later starts load them from one archive. What the commands print is of no
 * interest.
 */
final class Rehearsal {
  private static final String HOST = "rehearsal";

  private Rehearsal() {}

  /** Takes one argument, an existing folder that all that is made goes into. */
  public static void main(String[] arguments) throws IOException {
    run(Path.of(arguments[0]));
    System.exit(0);
  }

  /**
   * Rehearses; takes about a second. Listens on loopback for that time.
   *
   * @return the exit code of each command
   */
  static Map<String, Integer> run(Path folder) throws IOException {
    Map<String, String> environment =
        Map.of(
            "HOME",
            folder.toString(),
            "PATH",
            "/usr/bin:/bin",
            "LC_ALL",
            "C.UTF-8",
            // Nobody is there; asking is what is rehearsed.
            "SSH_AUTH_SOCK",
            folder.resolve("agent").toString());
    try (LoopbackServer server = LoopbackServer.start(folder, environment)) {
      Eagle3 eagle3 = new Eagle3(surroundings(folder, environment));
      Map<String, Integer> codes = new LinkedHashMap<>();
      for (List<String> command : commands(writeConfig(folder, server).toString())) {
        codes.put(String.join(" ", command), eagle3.run(command.toArray(String[]::new)));
      }
      return codes;
    }
  }

  private static List<List<String>> commands(String config) {
    return List.of(
        List.of("--help"),
        List.of("--version"),
        List.of("status", "--help"),
        List.of("status", "--host", HOST, "-F", config),
        List.of("status", "--host", HOST, "-F", config, "--json"),
        List.of("runs", "--host", HOST, "-F", config),
        List.of("extract", "--host", HOST, "--layers", "2", "30", "--dry-run"));
  }

  private static Surroundings surroundings(Path home, Map<String, String> environment) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return new Surroundings(
        InputStream.nullInputStream(),
        nowhere,
        nowhere,
        environment,
        home,
        new Surroundings.Terminal(false, false, false, 80),
        ask -> Optional.empty(),
        Clock.systemUTC(),
        () -> 0);
  }

  private static Path writeConfig(Path folder, LoopbackServer server) throws IOException {
    return Files.writeString(
        folder.resolve("ssh_config"),
        """
        Host %s
          HostName 127.0.0.1
          Port %d
          User rehearsal
          IdentityFile "%s"
          IdentitiesOnly yes
          UserKnownHostsFile "%s"
        """
            .formatted(HOST, server.port(), server.identity(), server.knownHosts()));
  }
}
