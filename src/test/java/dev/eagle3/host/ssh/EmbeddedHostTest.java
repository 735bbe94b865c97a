package dev.eagle3.host.ssh;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Commands over SSH on the embedded server. */
@Tag("slow")
class EmbeddedHostTest implements HostContract {
  private static EmbeddedHost embedded;

  @TempDir Path folder;

  @BeforeAll
  static void connect(@TempDir Path serverFolder) throws Exception {
    embedded = EmbeddedHost.start(serverFolder);
  }

  @AfterAll
  static void disconnect() throws Exception {
    embedded.close();
  }

  @Override
  public Host host() {
    return embedded.host();
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public boolean tellsSignals() {
    return false;
  }
}
