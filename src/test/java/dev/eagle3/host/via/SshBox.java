package dev.eagle3.host.via;

import dev.eagle3.host.Host;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A real OpenSSH server behind OpenSSH's own client, for {@code --via 'ssh box sh'}. */
record SshBox(OpenSshServer server, String ssh) implements AutoCloseable {
  /** Starts the server. */
  static SshBox start(OpenSshServer.Setup setup) throws IOException, InterruptedException {
    OpenSshServer server = setup.start();
    Path configuration = server.clientConfiguration();
    return new SshBox(
        server, Tools.find("ssh") + " -F " + ShellQuote.word(configuration.toString()));
  }

  /** Connects via {@code ssh box WORDS}. */
  Host connect(String words) {
    return connect(words, Duration.ofMinutes(1));
  }

  /** As {@link #connect(String)}, with a limit. */
  Host connect(String words, Duration limit) {
    return new ViaConnector(Map.of("PATH", System.getenv("PATH")), limit)
        .connect((ssh + " box " + words).strip(), "box");
  }

  @Override
  public void close() {
    server.close();
  }
}
