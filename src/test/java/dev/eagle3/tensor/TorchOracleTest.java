package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Severity;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What we read is what torch 2.13 reads, file by file. */
class TorchOracleTest {
  private record Line(
      String path, String layout, String dtype, List<Long> shape, List<Long> stride, long offset) {}

  static Stream<JsonNode> whatTorchLoads() {
    return Fixtures.says().stream().filter(says -> says.has("tensors"));
  }

  @ParameterizedTest
  @MethodSource("whatTorchLoads")
  void whatTorchLoadsWeReadTheSame(JsonNode says) {
    TensorFile file = Fixtures.read(says.get("file").asString());

    assertThat(file.tensors().stream().map(TorchOracleTest::ours))
        .containsExactlyElementsOf(
            stream(says.get("tensors")).map(TorchOracleTest::torchs).toList());
  }

  /** Damaged files, which torch loads all the same, are in {@link DamagedFilesTest}. */
  @ParameterizedTest
  @MethodSource("whatTorchLoads")
  void whatTorchLoadsHasNoErrorUnlessItIsDamaged(JsonNode says) {
    String name = says.get("file").asString();
    boolean damaged = name.startsWith("corrupt/") || name.startsWith("hostile/");

    if (!damaged) {
      assertThat(Fixtures.read(name).findings())
          .noneMatch(finding -> finding.severity() == Severity.ERROR);
    }
  }

  @ParameterizedTest
  @MethodSource("whatTorchLoads")
  void whatTheDefaultLoaderRefusesIsNamed(JsonNode says) {
    boolean refused = says.has("weights_only") && !says.get("weights_only").asBoolean();

    assertThat(
            Fixtures.read(says.get("file").asString()).findings().stream()
                .anyMatch(finding -> finding.code().equals("file.weights-only-refused")))
        .isEqualTo(refused);
  }

  @Test
  void theOracleKnowsEveryFile() {
    Set<String> known =
        Fixtures.says().stream()
            .map(says -> says.get("file").asString())
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> present =
        Stream.of("corrupt", "hostile", "real", "torch-1.13", "torch-2.11", "torch-2.14")
            .flatMap(Fixtures::in)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(present).isEqualTo(known);
  }

  private static Line ours(TensorEntry tensor) {
    // A tensor of zero strides is how torch shows a sparse one; only compressed ones say a layout.
    boolean isPlain = tensor.layout().equals("strided") || tensor.layout().equals("sparse_coo");
    return new Line(
        tensor.path(),
        isPlain ? "" : "torch." + tensor.layout(),
        tensor.dtype(),
        tensor.shape(),
        tensor.stride(),
        tensor.offset());
  }

  private static Line torchs(JsonNode tensor) {
    return new Line(
        tensor.get("path").asString(),
        tensor.path("layout").asString(""),
        tensor.get("dtype").asString(),
        longs(tensor.get("shape")),
        longs(tensor.path("stride")),
        tensor.path("offset").asLong(0));
  }

  private static List<Long> longs(JsonNode numbers) {
    return stream(numbers).map(JsonNode::asLong).toList();
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
