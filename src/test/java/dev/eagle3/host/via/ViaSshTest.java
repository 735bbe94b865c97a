package dev.eagle3.host.via;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.FileTreeContract;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostContract;
import dev.eagle3.host.HostScriptsContract;
import dev.eagle3.host.ssh.OpenSshServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** All that a host must do with {@code --via 'ssh box sh'}, on a real OpenSSH server. */
@Tag("slow")
class ViaSshTest {
  @Nested
  class Commands extends OnBox implements HostContract, HostScriptsContract {
    @Test
    void aCommandThatLeavesItsInputUnreadEndsAllTheSame() {
      inputMayStayUnread();
    }
  }

  @Nested
  class Files extends OnBox implements FileTreeContract {
    @Override
    public FileTree tree() {
      return host().files();
    }
  }

  /** One connection for all tests of a contract. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class OnBox {
    private SshBox box;
    private Host host;
    private Path folder;

    @BeforeAll
    void connect(@TempDir Path serverFolder) throws Exception {
      box = SshBox.start(OpenSshServer.in(serverFolder));
      host = box.connect("sh");
    }

    @BeforeEach
    void makeFolder(@TempDir Path made) {
      folder = made;
    }

    @AfterAll
    void disconnect() {
      host.close();
      box.close();
    }

    public Host host() {
      return host;
    }

    public Path folder() {
      return folder;
    }
  }
}
