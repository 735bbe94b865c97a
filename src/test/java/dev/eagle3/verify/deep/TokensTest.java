package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import dev.eagle3.tensor.TorchFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest {
  private final LocalFileTree files = new LocalFileTree();

  @TempDir Path folder;

  @Test
  void paddingIsARunOfOneIdThatTheMaskLeavesOut() {
    assertThat(padding(ids(5, 6, 0, 0, 0), ids(1, 1, 0, 0, 0))).containsExactly(2L, 3L, 4L);
    assertThat(padding(ids(0, 0, 5, 6), ids(0, 0, 1, 1))).containsExactly(0L, 1L);
    assertThat(padding(ids(5, 6, 0, 0), ids(1, 1, 1, 1))).isEmpty();
    assertThat(padding(ids(5, 6, 0, 0), ids(1, 1, 1, 0))).containsExactly(3L);
    assertThat(padding(ids(5, 5, 6, 7), ids(0, 1, 1, 1))).isEmpty();
    assertThat(padding(ids(5, 6, 7, 8), ids(0, 0, 0, 1))).isEmpty();
  }

  @Test
  void withoutAMaskARunAtTheEndMayBePadding() {
    assertThat(padding(ids(5, 6, 0, 0), ids())).containsExactly(2L, 3L);
    assertThat(padding(ids(5, 6, 7, 0), ids())).isEmpty();
    assertThat(padding(ids(0, 0, 6, 7), ids())).isEmpty();
  }

  @Test
  void idsOfOtherWidthsAndWithABatchDimensionAreRead() throws IOException {
    Path path = folder.resolve("data_0.pt");
    byte[] ids = {1, 0, 0, 0, -1, -1, -1, -1, 0, 1, 0, 0};
    new TorchFileWriter("archive")
        .tensor("input_ids", "int32", ids, 1, 3)
        .tensor("loss_mask", "bool", new byte[] {1, 1, 0}, 1, 3)
        .write(path);

    Tokens tokens = new TokensReader(files).read(read(path)).get(0);

    assertThat(tokens.ids()).containsExactly(1, -1, 256);
    assertThat(tokens.isPadding(2)).isTrue();
    assertThat(tokens.isPadding(1)).isFalse();
  }

  @Test
  void samplesOfOneFileHavePaddingOfTheirOwn() throws IOException {
    Path path = folder.resolve("data_0.pt");
    byte[] ids = {5, 6, 0, 0, 7, 8, 9, 0};
    new TorchFileWriter("archive")
        .tensor("input_ids", "uint8", ids, 2, 4)
        .tensor("loss_mask", "bool", new byte[] {1, 1, 0, 0, 1, 1, 1, 1}, 2, 4)
        .write(path);

    List<Tokens> samples = new TokensReader(files).read(read(path));

    assertThat(samples).hasSize(2);
    assertThat(samples.get(0).ids()).containsExactly(5, 6, 0, 0);
    assertThat(samples.get(0).isPadding(2)).isTrue();
    assertThat(samples.get(1).ids()).containsExactly(7, 8, 9, 0);
    assertThat(samples.get(1).isPadding(3)).isFalse();
  }

  @Test
  void aFileWithoutIdsHasNoPadding() throws IOException {
    Path path = folder.resolve("data_0.pt");
    new TorchFileWriter("archive").tensor("input_ids", "float32", 3).write(path);

    assertThat(new TokensReader(files).read(read(path))).isEmpty();
    assertThat(Tokens.UNKNOWN.isPadding(0)).isFalse();
    assertThat(Tokens.UNKNOWN.isPadding(1_000_000)).isFalse();
  }

  private TensorFile read(Path path) throws IOException {
    return new TensorFileReader()
        .read(RangedBytes.of(files, files.stat(path.toString()).orElseThrow()));
  }

  private static long[] ids(long... ids) {
    return ids;
  }

  private static List<Long> padding(long[] ids, long[] mask) {
    Tokens tokens = Tokens.of(ids, mask);
    return LongStream.range(0, ids.length).filter(tokens::isPadding).boxed().toList();
  }
}
