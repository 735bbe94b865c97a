package dev.eagle3.host.ssh;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.FileTreeContract;
import dev.eagle3.host.Host;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Files on a real OpenSSH server that offers no SFTP, and one channel a connection. */
@Tag("slow")
class OpenSshWithoutSftpTest implements FileTreeContract {
  @TempDir static Path serverFolder;
  private static OpenSshServer server;
  private static Host host;

  @TempDir Path folder;

  @BeforeAll
  static void connect() throws Exception {
    server =
        OpenSshServer.in(serverFolder)
            .configuration("Subsystem sftp /bin/false")
            .configuration("MaxSessions 1")
            .start();
    host =
        new SshConnector(SshSettings.of(server.clientHome()), note -> {}).connect(server.target());
  }

  @AfterAll
  static void disconnect() {
    host.close();
    server.close();
  }

  @Override
  public FileTree tree() {
    return host.files();
  }

  @Override
  public Path folder() {
    return folder;
  }
}
