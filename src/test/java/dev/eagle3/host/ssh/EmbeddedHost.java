package dev.eagle3.host.ssh;

import dev.eagle3.demo.server.LoopbackServer;
import dev.eagle3.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A connection to the embedded server of the demo, for tests that need SSH and no real OpenSSH:
 * quick to start, and one thing more to agree with.
 */
public final class EmbeddedHost implements AutoCloseable {
  private final LoopbackServer server;
  private final Host host;

  private EmbeddedHost(LoopbackServer server, Host host) {
    this.server = server;
    this.host = host;
  }

  /** Starts a server in an empty folder, whose {@code home} is that of its commands. */
  public static EmbeddedHost start(Path folder) throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    LoopbackServer server =
        LoopbackServer.start(
            folder, Map.of("HOME", home.toString(), "PATH", System.getenv("PATH")));
    Path config =
        Files.writeString(
            folder.resolve("ssh_config"),
            "IdentityFile "
                + server.identity()
                + "\nUserKnownHostsFile "
                + server.knownHosts()
                + "\n");
    Host host =
        new SshConnector(SshSettings.of(folder).withConfigFile(config), note -> {})
            .connect("someone@127.0.0.1:" + server.port());
    return new EmbeddedHost(server, host);
  }

  /** The connected host. */
  public Host host() {
    return host;
  }

  /** Ends the connection, then the server. */
  @Override
  public void close() throws IOException {
    host.close();
    server.close();
  }
}
