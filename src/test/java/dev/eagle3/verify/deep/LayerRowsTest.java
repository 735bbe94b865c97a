package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import dev.eagle3.tensor.TorchFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayerRowsTest {
  private final LocalFileTree files = new LocalFileTree();
  private final LayerRows rows = new LayerRows(files);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"bfloat16", "float16", "float32", "float64"})
  void rowsOfALayerAreItsNumbers(String dtype) throws IOException {
    float[] numbers = {1, -2, 0.5f, 0, 65504, -0.25f, 3, 4, 5, 6, 7, 8};
    if (dtype.equals("bfloat16")) {
      numbers[4] = 65536;
    }
    Path path = folder.resolve("data_0.pt");
    new TorchFileWriter("archive")
        .layers("hidden_states", List.of(Values.of(dtype, numbers)), dtype, 4, 3)
        .write(path);

    TensorEntry layer = only(path);

    assertThat(rows.rows(path.toString(), layer, 1, 2))
        .containsExactly(numbers[3], numbers[4], numbers[5], 3, 4, 5);
    assertThat(rows.rows(path.toString(), layer, 0, 4)).containsExactly(numbers);
    assertThat(rows.rows(path.toString(), layer, 4, 0)).isEmpty();
    assertThatThrownBy(() -> rows.rows(path.toString(), layer, 3, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stridesAreFollowed() throws IOException {
    Path path = folder.resolve("plain");
    float[] numbers = new float[24];
    IntStream.range(0, 24).forEach(index -> numbers[index] = index);
    Files.write(path, Values.of("float32", numbers));
    StorageExtent storage = new StorageExtent("0", 96, 0, 96, 96);

    // [4, 3, 2], and the parts of it.
    assertThat(read(path, view(storage, List.of(4L, 2L), List.of(6L, 1L), 2)))
        .containsExactly(2, 3, 8, 9, 14, 15, 20, 21);
    assertThat(read(path, view(storage, List.of(3L, 4L), List.of(2L, 6L), 1)))
        .containsExactly(1, 7, 13, 19, 3, 9, 15, 21, 5, 11, 17, 23);
    assertThat(read(path, view(storage, List.of(2L, 3L), List.of(0L, 2L), 0)))
        .containsExactly(0, 2, 4, 0, 2, 4);
    assertThat(LayerRows.canRead(view(storage, List.of(4L, 7L), List.of(6L, 1L), 0))).isFalse();
    assertThat(LayerRows.canRead(view(storage, List.of(1L << 62, 4L), List.of(8L, 1L), 0)))
        .isFalse();
  }

  @Test
  void layersAreFoundHoweverTheyLie() {
    assertThat(LayerViews.of(stack(5, 3, 2), OptionalLong.of(5), OptionalLong.empty()))
        .extracting(TensorEntry::path, TensorEntry::shape, TensorEntry::offset)
        .hasSize(3)
        .contains(tuple("h[:, 1]", List.of(5L, 2L), 2L));
    assertThat(LayerViews.of(stack(3, 5, 2), OptionalLong.of(5), OptionalLong.empty()))
        .extracting(TensorEntry::path, TensorEntry::shape, TensorEntry::offset)
        .hasSize(3)
        .contains(tuple("h[1]", List.of(5L, 2L), 10L));
    assertThat(LayerViews.of(stack(1, 5, 6), OptionalLong.of(5), OptionalLong.of(2)))
        .extracting(TensorEntry::path, TensorEntry::shape, TensorEntry::offset)
        .hasSize(3)
        .contains(tuple("h[:, 2:4]", List.of(5L, 2L), 2L));
  }

  private float[] read(Path path, TensorEntry view) throws IOException {
    return rows.rows(path.toString(), view, 0, Math.toIntExact(view.shape().get(0)));
  }

  private static TensorEntry view(
      StorageExtent storage, List<Long> shape, List<Long> stride, long offset) {
    return new TensorEntry("h", "h", "float32", shape, stride, offset, storage);
  }

  private static TensorFile stack(long first, long second, long third) {
    StorageExtent storage = new StorageExtent("0", 9999, 0, 9999, 9999);
    TensorEntry stack =
        new TensorEntry(
            "h",
            "h",
            "float32",
            List.of(first, second, third),
            List.of(second * third, third, 1L),
            0,
            storage);
    return new TensorFile(
        "f", ContainerKind.TORCH_ZIP, 9999, List.of("h"), List.of(stack), List.of(), List.of());
  }

  private TensorEntry only(Path path) throws IOException {
    RangedBytes bytes = RangedBytes.of(files, files.stat(path.toString()).orElseThrow());
    List<TensorEntry> layers =
        LayerViews.of(
            new TensorFileReader().read(bytes), OptionalLong.empty(), OptionalLong.empty());
    assertThat(layers).hasSize(1);
    assertThat(LayerRows.canRead(layers.get(0))).isTrue();
    return layers.get(0);
  }
}
