package dev.eagle3.host.ssh;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands over SSH on a real OpenSSH server. */
@Tag("slow")
class OpenSshHostTest implements HostContract {
  @TempDir static Path folder;
  private static OpenSshServer server;
  private static Host host;

  @BeforeAll
  static void connect() throws Exception {
    server = OpenSshServer.in(folder.resolve("server")).start();
    host =
        new SshConnector(SshSettings.of(server.clientHome()), note -> {}).connect(server.target());
  }

  @AfterAll
  static void disconnect() {
    host.close();
    server.close();
  }

  @Override
  public Host host() {
    return host;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Test
  void aCommandThatLeavesItsInputUnreadEndsAllTheSame() {
    inputMayStayUnread();
  }
}
