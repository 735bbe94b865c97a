package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.GoodSamples;
import dev.eagle3.verify.Schema;
import dev.eagle3.verify.Schemas;
import dev.eagle3.verify.VerifyResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of samples of all schemas: of 12 tokens, the last two of them padding of zeros. */
class SchemaValuesTest {
  private static final int TOKENS = 12;
  private static final int PADDING = 2;
  private static final int CHANNELS = 16;

  private final LocalFileTree files = new LocalFileTree();

  @TempDir Path folder;

  static Stream<String> schemas() {
    return Schemas.KNOWN.stream().map(Schema::name);
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void goodValuesAreGoodInEverySchema(String schema) throws IOException {
    save(schema, 1f);

    assertThat(values(schema)).extracting(Finding::code).containsExactly("values.range");
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void nanInTheLastRowThatIsNoPaddingIsFoundInEverySchema(String schema) throws IOException {
    save(schema, Float.NaN);

    assertThat(values(schema))
        .filteredOn(finding -> finding.code().equals("values.nan"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.actual() + finding.evidence())
                    .contains("row " + (TOKENS - padding(schema) - 1)));
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void zerosInTheLastRowThatIsNoPaddingAreFoundInEverySchema(String schema) throws IOException {
    save(schema, 0f);

    assertThat(values(schema))
        .filteredOn(finding -> finding.code().equals("values.zero-rows"))
        .hasSize(1);
  }

  @Test
  void whatCannotBeLookedAtIsSaid() throws IOException {
    new TorchFileWriter("archive")
        .longs("input_ids", 1, 2, 3, 4)
        .layers("hidden_states", 2, "int8", 4, CHANNELS)
        .longs("loss_mask", 1, 1, 1, 1)
        .write(folder.resolve("data_0.pt"));

    assertThat(verify(folder).findings("values."))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.code()).isEqualTo("values.not-read");
              assertThat(finding.evidence())
                  .contains("hidden_states[0] is of int8, which is not looked at");
            });
  }

  private List<Finding> values(String schema) throws IOException {
    return verify(folder.resolve(schema)).findings("values.");
  }

  /** What deep verification finds, files and sets together. */
  private Found verify(Path path) throws IOException {
    VerifyResult result =
        new FolderVerifier(files, 2, new DeepVerifier(files, each -> true))
            .verify(List.of(path.toString()), Expectation.NONE, event -> {});
    List<Finding> all =
        Stream.concat(
                result.files().stream().flatMap(file -> file.findings().stream()),
                result.setFindings().stream())
            .toList();
    return new Found(all);
  }

  private record Found(List<Finding> all) {
    List<Finding> findings(String area) {
      return all.stream().filter(finding -> finding.code().startsWith(area)).toList();
    }
  }

  private static int padding(String schema) {
    return Schemas.named(schema).orElseThrow().maskKey().isPresent() ? PADDING : 0;
  }

  /**
   * Saves a sample in a folder of its own.
   *
   * @param last what all values of the last row that is no padding are; 1 for any
   */
  private void save(String schema, float last) throws IOException {
    TensorFile shape = GoodSamples.named(schema, TOKENS, CHANNELS);
    Path path = folder.resolve(schema).resolve(shape.name());
    Files.createDirectories(path.getParent());
    Random random = new Random(7);
    List<Content> contents =
        shape.tensors().stream()
            .map(tensor -> new Content(tensor, bytes(tensor, schema, last, random)))
            .toList();
    if (shape.container() == ContainerKind.SAFETENSORS) {
      Files.write(path, safetensors(contents));
      return;
    }
    TorchFileWriter writer = new TorchFileWriter("archive");
    shape.keys().stream()
        .filter(key -> contents.stream().noneMatch(each -> each.tensor().key().equals(key)))
        .forEach(key -> writer.text(key, "x"));
    for (String key : shape.keys()) {
      List<Content> under =
          contents.stream().filter(each -> each.tensor().key().equals(key)).toList();
      if (!under.isEmpty()) {
        TensorEntry first = under.get(0).tensor();
        long[] sizes = first.shape().stream().mapToLong(Long::longValue).toArray();
        if (first.path().equals(key)) {
          writer.tensor(key, first.dtype(), under.get(0).bytes(), sizes);
        } else {
          writer.layers(key, under.stream().map(Content::bytes).toList(), first.dtype(), sizes);
        }
      }
    }
    writer.write(path);
  }

  @SuppressWarnings("ArrayRecordComponent") // written as it is
  private record Content(TensorEntry tensor, byte[] bytes) {}

  private static byte[] bytes(TensorEntry tensor, String schema, float last, Random random) {
    int tokens = TOKENS - padding(schema);
    int count = (int) tensor.shape().stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b);
    boolean ids = tensor.key().endsWith("_ids");
    ByteBuffer bytes = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int index = 0; index < count; index++) {
      boolean isPadding = token(tensor, index) >= tokens;
      boolean isLast = token(tensor, index) == tokens - 1 && tensor.key().contains("hidden");
      float number = (float) random.nextGaussian();
      switch (tensor.dtype()) {
        case "int64" -> bytes.putLong(isPadding ? 0 : ids ? 100 + index : 1);
        case "bool" -> bytes.put((byte) (isPadding ? 0 : 1));
        case "bfloat16" ->
            bytes.put(Values.of("bfloat16", isPadding ? 0 : isLast && last != 1 ? last : number));
        default -> throw new IllegalArgumentException(tensor.dtype());
      }
    }
    byte[] all = new byte[bytes.flip().remaining()];
    bytes.get(all);
    return all;
  }

  /** Which token an element belongs to, by the one axis of so many. */
  private static int token(TensorEntry tensor, int index) {
    int rest = index;
    for (int axis = tensor.shape().size() - 1; axis >= 0; axis--) {
      int size = tensor.shape().get(axis).intValue();
      if (size == TOKENS) {
        return rest % size;
      }
      rest /= size;
    }
    return 0;
  }

  private static byte[] safetensors(List<Content> contents) {
    StringBuilder header = new StringBuilder("{");
    ByteBuffer values = ByteBuffer.allocate(1 << 20);
    for (Content each : contents) {
      int from = values.position();
      values.put(each.bytes());
      String dtype =
          switch (each.tensor().dtype()) {
            case "int64" -> "I64";
            case "bool" -> "BOOL";
            default -> "BF16";
          };
      header.append(header.length() > 1 ? "," : "").append("\"").append(each.tensor().path());
      header.append("\":{\"dtype\":\"").append(dtype).append("\",\"shape\":");
      header.append(each.tensor().shape()).append(",\"data_offsets\":[");
      header.append(from).append(",").append(values.position()).append("]}");
    }
    byte[] json = header.append("}").toString().getBytes(StandardCharsets.UTF_8);
    ByteBuffer file =
        ByteBuffer.allocate(8 + json.length + values.position()).order(ByteOrder.LITTLE_ENDIAN);
    return file.putLong(json.length).put(json).put(values.flip()).array();
  }
}
