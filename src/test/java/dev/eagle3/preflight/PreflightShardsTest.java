package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of a model, each in one bad state. */
class PreflightShardsTest {
  @TempDir Path folder;

  private ReadyHost host;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder);
  }

  @Test
  @Hostile("a shard of the model is missing")
  void aShardThatIsMissingIsRefused() throws IOException {
    Files.delete(shard(7));

    assertThat(host.refused().problem())
        .isEqualTo("118 of 119 shards are whole: model-00007-of-00119.safetensors is missing");
  }

  @Test
  @Hostile("a shard of the model is cut")
  void aShardThatIsCutIsRefused() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(shard(80).toFile(), "rw")) {
      file.setLength(file.length() - 1);
    }

    assertThat(host.refused().problem()).contains("model-00080-of-00119.safetensors is cut: ");
  }

  @Test
  @Hostile("a shard of the model is a pointer of Git LFS")
  void aShardThatWasNeverFetchedIsRefused() throws IOException {
    Files.writeString(
        shard(3), "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4999999\n");

    assertThat(host.refused().problem()).contains("is a pointer of Git LFS");
  }

  @Test
  @Hostile("a shard of the model is a link to nothing")
  void aShardThatIsALinkToNothingIsRefused() throws IOException {
    Files.delete(shard(3));
    Files.createSymbolicLink(shard(3), folder.resolve("blobs/gone"));

    assertThat(host.refused().problem())
        .contains("model-00003-of-00119.safetensors is a link to nothing");
  }

  @Test
  @Hostile("a header of a shard claims 8 exabytes")
  void aHeaderThatClaimsTooMuchIsRefusedAndCostsNothing() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(shard(1).toFile(), "rw")) {
      file.write(new byte[] {-1, -1, -1, -1, -1, -1, -1, 127});
    }

    assertThat(host.refused().problem()).contains("is no safetensors file");
  }

  @Test
  @Hostile("a shard of the model is of another version")
  void aShardWithoutATensorOfTheIndexIsAWarning() throws IOException {
    Path index = host.files.model().resolve("model.safetensors.index.json");
    String text = Files.readString(index);
    Files.writeString(
        index,
        text.replaceFirst(
            "\"weight_map\": \\{",
            "\"weight_map\": {\"moved.weight\": \"model-00005-of-00119.safetensors\", "));

    assertThat(host.check()).isEmpty();
    assertThat(host.said("model-shards"))
        .containsExactly(
            "warning: 118 of 119 shards are whole: model-00005-of-00119.safetensors is without"
                + " moved.weight, which the index says it holds");
  }

  @Test
  @Hostile("the index of the model is cut")
  void anIndexThatIsCutIsRefused() throws IOException {
    Path index = host.files.model().resolve("model.safetensors.index.json");
    Files.writeString(index, Files.readString(index).substring(0, 500));

    assertThat(host.refused().problem()).contains("model.safetensors.index.json cannot be read");
  }

  @Test
  @Hostile("the index of the model names files elsewhere")
  void anIndexThatNamesFilesElsewhereIsRefused() throws IOException {
    Files.writeString(
        host.files.model().resolve("model.safetensors.index.json"),
        "{\"weight_map\": {\"a\": \"../../etc/passwd\"}}");

    assertThat(host.refused().problem()).contains("names a shard that is no file of this folder");
  }

  private Path shard(int number) {
    return host.files.model().resolve(String.format("model-%05d-of-00119.safetensors", number));
  }
}
