package dev.eagle3.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileTreeTest implements FileTreeContract {
  @TempDir Path folder;

  private final LocalFileTree tree = new LocalFileTree();

  @Override
  public FileTree tree() {
    return tree;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Test
  void aPipeIsRefusedInsteadOfWaitedFor() throws Exception {
    String pipe = folder.resolve("pipe").toString();
    assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();

    assertThatThrownBy(() -> tree.read(pipe, List.of(new ByteRange(0, 1))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a regular file");
    assertThatThrownBy(() -> tree.open(pipe, 0)).isInstanceOf(IOException.class);
  }

  @Test
  void aNameThatNoFileCanHaveIsAnIoException() {
    assertThatThrownBy(() -> tree.stat("/tmp/a\0b")).isInstanceOf(IOException.class);
  }
}
