package dev.eagle3.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlFileTest {
  @TempDir Path folder;

  @Test
  void aByteOrderMarkIsTakenOff() throws IOException {
    assertThat(YamlFile.text(file("\ufeffa: ä".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("a: ä");
  }

  @Test
  void aFileThatIsNotThereOrAFolderIsALocalFailure() {
    assertThat(failure(folder.resolve("none")).exit()).isEqualTo(Exit.LOCAL_FILE);
    assertThat(failure(folder.resolve("none")).problem()).isEqualTo("no such file");
    assertThat(failure(folder).problem()).isEqualTo("is a folder");
  }

  @Test
  void otherTextThanUtf8IsRefused() throws IOException {
    assertThat(failure(file(new byte[] {'a', ':', ' ', (byte) 0xe4})).problem())
        .isEqualTo("is not UTF-8 text");
  }

  @Test
  void anEndlessFileIsNotReadToItsEnd() {
    assertThat(failure(Path.of("/dev/zero")).problem()).contains("1 MiB");
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("f.yaml"), bytes);
  }

  private static Failure failure(Path file) {
    return catchThrowableOfType(Failure.class, () -> YamlFile.text(file));
  }
}
