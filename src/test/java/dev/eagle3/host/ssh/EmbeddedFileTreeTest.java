package dev.eagle3.host.ssh;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.FileTreeContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Files over SFTP on the embedded server, which answers with less than it is asked for. */
@Tag("slow")
class EmbeddedFileTreeTest implements FileTreeContract {
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
  public FileTree tree() {
    return embedded.host().files();
  }

  @Override
  public Path folder() {
    return folder;
  }
}
