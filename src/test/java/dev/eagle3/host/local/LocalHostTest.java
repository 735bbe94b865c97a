package dev.eagle3.host.local;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostContract;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHostTest implements HostContract {
  @TempDir Path folder;

  private final Host host = new LocalHost("local", Map.of("PATH", System.getenv("PATH")));

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
