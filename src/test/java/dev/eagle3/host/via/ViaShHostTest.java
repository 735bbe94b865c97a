package dev.eagle3.host.via;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostContract;
import dev.eagle3.host.HostScriptsContract;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands and scripts with {@code --via sh}. */
@Tag("slow")
class ViaShHostTest implements HostContract, HostScriptsContract {
  @TempDir Path folder;

  private final Host host =
      new ViaConnector(Map.of("PATH", System.getenv("PATH"))).connect("sh", "sh");

  @AfterEach
  void close() {
    host.close();
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
