package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import dev.eagle3.testing.Hostile;
import java.io.EOFException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What one pass counts is what torch counts, and what a slow reading by strides counts. */
class FileScannerTest {
  private final LocalFileTree files = new LocalFileTree();

  @TempDir Path folder;

  static Stream<JsonNode> whatTorchLoads() throws IOException {
    ObjectMapper json = new ObjectMapper();
    return Files.readAllLines(fixture("torch-2.13-says.jsonl")).stream()
        .map(json::readTree)
        .filter(says -> says.has("tensors") && hasCounts(says));
  }

  private static boolean hasCounts(JsonNode says) {
    for (JsonNode tensor : says.get("tensors")) {
      if (tensor.has("nan")) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest
  @MethodSource("whatTorchLoads")
  void countsAreThoseOfTorch(JsonNode says) throws IOException {
    Path path = fixture(says.get("file").asString());
    TensorFile file = read(path);
    List<TensorEntry> matrices = new ArrayList<>();
    for (TensorEntry tensor : file.tensors()) {
      matrices.add(matrix(tensor));
    }
    FileValues values = scan(file, matrices);

    for (JsonNode tensor : says.get("tensors")) {
      values.layers().stream()
          .filter(layer -> layer.path().equals(tensor.get("path").asString()))
          .filter(layer -> tensor.has("nan"))
          .forEach(
              layer -> {
                assertThat(layer.totals().nan()).isEqualTo(tensor.get("nan").asLong());
                assertThat(layer.totals().inf()).isEqualTo(tensor.get("inf").asLong());
                assertThat(layer.totals().zero()).isEqualTo(tensor.get("zero").asLong());
              });
    }
  }

  @Test
  void mostOfWhatTorchCountsIsCounted() throws IOException {
    long counted = 0;
    for (JsonNode says : whatTorchLoads().toList()) {
      TensorFile file = read(fixture(says.get("file").asString()));
      List<TensorEntry> matrices = file.tensors().stream().map(FileScannerTest::matrix).toList();
      counted += scan(file, matrices).layers().size();
    }

    assertThat(counted).isGreaterThan(60);
  }

  @ParameterizedTest
  @CsvSource({
    "bfloat16, 2",
    "float16, 2",
    "float32, 4",
    "float64, 8",
    "float8_e4m3fn, 1",
    "float8_e5m2, 1",
    "float8_e4m3fnuz, 1",
    "float8_e5m2fnuz, 1",
    "float8_e8m0fnu, 1"
  })
  void whateverTheBitsAreTheCountsAreThoseOfASlowReading(String dtype, int bytes)
      throws IOException {
    byte[] content = new byte[bytes * 40_000];
    new Random(3).nextBytes(content);
    Path path = folder.resolve("plain");
    Files.write(path, content);
    StorageExtent storage = new StorageExtent("0", content.length, 0, content.length, 0);
    List<TensorEntry> layers =
        List.of(
            layer("rows", dtype, 39, 1021, 1021, 1, 5, storage),
            layer("spread", dtype, 39, 500, 1025, 1, 7, storage),
            layer("columns", dtype, 100, 391, 1, 100, 3, storage),
            layer("again", dtype, 50, 13, 0, 1, 21, storage),
            layer("over", dtype, 1000, 37, 3, 1, 0, storage),
            layer("holes", dtype, 20, 30, 1000, 3, 0, storage));

    FileValues values = scan(file(path, content.length, layers), layers);

    assertThat(values.unread()).isEmpty();
    assertThat(values.layers()).hasSize(layers.size());
    for (LayerValues each : values.layers()) {
      assertThat(each.totals()).satisfies(totals -> assertSame(totals, slowly(each, content)));
    }
  }

  @Test
  void aRowThatStandsOverTheEdgesOfTheWindowIsWhole() throws IOException {
    int columns = 100_000;
    float[] numbers = new float[columns * 7];
    for (int index = 0; index < numbers.length; index++) {
      numbers[index] = index;
    }
    byte[] content = Values.of("float32", numbers);
    Path path = folder.resolve("plain");
    Files.write(path, content);
    StorageExtent storage = new StorageExtent("0", content.length, 0, content.length, 0);
    List<TensorEntry> layers = List.of(layer("h", "float32", 7, columns, columns, 1, 0, storage));

    FileValues values = scan(file(path, content.length, layers), layers);

    assertThat(values.layers().get(0).totals().largest()).isEqualTo(numbers.length - 1);
    assertThat(values.layers().get(0).totals().elements()).isEqualTo(numbers.length);
    assertThat(values.layers().get(0).rowHashes()).doesNotHaveDuplicates();
  }

  @Test
  @Timeout(20)
  @Hostile("a header claims 2^40 rows that all are one and the same")
  void rowsWithoutEndOverFewBytesAreNotRead() throws IOException {
    StorageExtent storage = new StorageExtent("0", 64, 0, 64, 64);
    Path path = folder.resolve("plain");
    Files.write(path, new byte[64]);
    List<TensorEntry> layers =
        List.of(
            layer("h", "bfloat16", 1L << 40, 16, 0, 1, 0, storage),
            layer("empty", "bfloat16", 1L << 60, 0, 0, 1, 0, storage));

    FileValues values = scan(file(path, 64, layers), layers);

    assertThat(values.layers()).isEmpty();
    assertThat(values.unread())
        .first()
        .isEqualTo("h lies over values that were looked at often enough");
  }

  @Test
  @Timeout(20)
  @Hostile("a header lays 100,000 layers over the same values")
  void layersWithoutEndOverTheSameValuesAreNotRead() throws IOException {
    StorageExtent storage = new StorageExtent("0", 1 << 16, 0, 1 << 16, 1 << 16);
    Path path = folder.resolve("plain");
    Files.write(path, new byte[1 << 16]);
    TensorEntry layer = layer("h", "bfloat16", 128, 256, 256, 1, 0, storage);
    List<TensorEntry> layers = Collections.nCopies(100_000, layer);

    FileValues values = scan(file(path, 1 << 16, layers), layers);

    assertThat(values.layers()).hasSize(256);
    assertThat(values.unread()).hasSize(100_000 - 256);
  }

  @Test
  @Hostile("a file becomes shorter while its values are read")
  void aFileThatBecameShorterIsTrouble() throws IOException {
    StorageExtent storage = new StorageExtent("0", 4096, 0, 4096, 4096);
    Path path = folder.resolve("plain");
    Files.write(path, new byte[1000]);
    List<TensorEntry> layers = List.of(layer("h", "bfloat16", 8, 256, 256, 1, 0, storage));

    assertThatThrownBy(() -> scan(file(path, 4096, layers), layers))
        .isInstanceOf(EOFException.class)
        .hasMessage(path + ": the file became shorter");
  }

  private static void assertSame(Tally.Totals totals, Tally.Totals slow) {
    assertThat(totals.elements()).isEqualTo(slow.elements());
    assertThat(totals.nan()).isEqualTo(slow.nan());
    assertThat(totals.inf()).isEqualTo(slow.inf());
    assertThat(totals.zero()).isEqualTo(slow.zero());
    assertThat(totals.largest()).isEqualTo(slow.largest());
    if (Double.isFinite(slow.squares())) {
      assertThat(totals.squares()).isCloseTo(slow.squares(), within(1e-9 * slow.squares()));
    }
  }

  /** Element by element, as the strides say. */
  private static Tally.Totals slowly(LayerValues values, byte[] content) {
    TensorEntry layer = values.layer();
    Element element = Element.of(layer.dtype()).orElseThrow();
    long nan = 0;
    long inf = 0;
    long zero = 0;
    double squares = 0;
    double largest = 0;
    for (long row = 0; row < layer.shape().get(0); row++) {
      for (long column = 0; column < layer.shape().get(1); column++) {
        long at = layer.offset() + row * layer.stride().get(0) + column * layer.stride().get(1);
        double value = element.value(content, (int) at * element.bytes());
        nan += Double.isNaN(value) ? 1 : 0;
        inf += Double.isInfinite(value) ? 1 : 0;
        zero += value == 0 ? 1 : 0;
        squares += Double.isFinite(value) ? value * value : 0;
        largest = Double.isFinite(value) ? Math.max(largest, Math.abs(value)) : largest;
      }
    }
    assertThat(nan).isEqualTo(values.nan().count());
    assertThat(inf).isEqualTo(values.inf().count());
    long elements = layer.shape().get(0) * layer.shape().get(1);
    return new Tally.Totals(elements, nan, inf, zero, squares, largest);
  }

  private FileValues scan(TensorFile file, List<TensorEntry> layers) throws IOException {
    TensorFile with =
        new TensorFile(
            file.name(), file.container(), file.bytes(), List.of(), layers, List.of(), List.of());
    return new FileScanner(files, layer -> true).scan(with, OptionalLong.empty());
  }

  private static TensorFile file(Path path, long bytes, List<TensorEntry> layers) {
    return new TensorFile(
        path.toString(),
        ContainerKind.TORCH_ZIP,
        bytes,
        List.of("h"),
        layers,
        List.of(),
        List.of());
  }

  private static TensorEntry layer(
      String path,
      String dtype,
      long rows,
      long columns,
      long rowStride,
      long columnStride,
      long offset,
      StorageExtent storage) {
    return new TensorEntry(
        path,
        "h",
        dtype,
        List.of(rows, columns),
        List.of(rowStride, columnStride),
        offset,
        storage);
  }

  /** Scalars and lists as matrices of one row. */
  private static TensorEntry matrix(TensorEntry tensor) {
    if (tensor.shape().size() > 1 || tensor.storage() == null) {
      return tensor;
    }
    boolean scalar = tensor.shape().isEmpty();
    return new TensorEntry(
        tensor.path(),
        tensor.key(),
        tensor.dtype(),
        List.of(1L, scalar ? 1L : tensor.shape().get(0)),
        List.of(scalar ? 1L : tensor.shape().get(0), scalar ? 1L : tensor.stride().get(0)),
        tensor.offset(),
        tensor.storage());
  }

  private TensorFile read(Path path) throws IOException {
    return new TensorFileReader()
        .read(RangedBytes.of(files, files.stat(path.toString()).orElseThrow()));
  }

  private static Path fixture(String name) {
    try {
      return Path.of(
              Objects.requireNonNull(FileScannerTest.class.getResource("/fixtures/tensors/real"))
                  .toURI())
          .resolveSibling(name);
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
