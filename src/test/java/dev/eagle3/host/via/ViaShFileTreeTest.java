package dev.eagle3.host.via;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.FileTreeContract;
import dev.eagle3.host.Host;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Files with {@code --via sh}. */
@Tag("slow")
class ViaShFileTreeTest implements FileTreeContract {
  private static Host host;

  @TempDir Path folder;

  @BeforeAll
  static void connect() {
    host = new ViaConnector(Map.of("PATH", System.getenv("PATH"))).connect("sh", "sh");
  }

  @AfterAll
  static void disconnect() {
    host.close();
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
