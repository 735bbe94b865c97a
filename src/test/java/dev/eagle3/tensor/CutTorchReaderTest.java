package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A file that was cut says how long it should be, from its first bytes alone. */
class CutTorchReaderTest {
  private final TensorFileReader reader = new TensorFileReader();

  /** Files whose pickle does not come first, or names no storages though there are some. */
  private static final Set<String> OTHER_ORDER =
      Set.of("torch-1.13/torchscript.pt", "torch-2.14/torchscript.pt");

  static Stream<String> wholeFiles() {
    return Stream.of("torch-1.13", "torch-2.11", "torch-2.14", "real")
        .flatMap(Fixtures::in)
        .filter(name -> !OTHER_ORDER.contains(name))
        .filter(CutTorchReaderTest::isWholeTorchZip);
  }

  @ParameterizedTest
  @MethodSource("wholeFiles")
  void howLongItShouldBeIsExact(String name) throws IOException {
    byte[] whole = Fixtures.bytes(name);

    Finding cut = cutFinding(name, Arrays.copyOf(whole, whole.length - 1));

    assertThat(cut.expected()).isEqualTo(String.format("%,d bytes", whole.length));
    assertThat(cut.actual())
        .isEqualTo(
            String.format(
                "%,d bytes: all storages are whole, its directory is not", whole.length - 1));
  }

  @Test
  void whichStoragesAreWholeIsCounted() throws IOException {
    byte[] whole = Fixtures.bytes("real/kimi-shape-t17.pt");
    List<TensorEntry> tensors = Fixtures.read("real/kimi-shape-t17.pt").tensors();

    for (int count = 1; count < tensors.size(); count++) {
      StorageExtent next = storage(tensors.get(count));
      byte[] cut = Arrays.copyOf(whole, (int) (next.fileOffset() + next.storedBytes() - 1));

      assertThat(cutFinding("data_0.pt", cut).actual())
          .endsWith("the first " + count + " of 6 storages are whole");
    }
  }

  @Test
  void whatACutFileHoldsOfAStorageIsMeasured() throws IOException {
    byte[] whole = Fixtures.bytes("real/kimi-shape-t17.pt");
    StorageExtent second = storage(Fixtures.read("real/kimi-shape-t17.pt").tensors().get(1));
    byte[] cut = Arrays.copyOf(whole, (int) second.fileOffset() + 1000);

    List<TensorEntry> tensors = reader.read(new CountingBytes("cut.pt", cut)).tensors();

    assertThat(tensors).hasSize(6);
    assertThat(storage(tensors.get(1)))
        .isEqualTo(new StorageExtent("1", 243_712, second.fileOffset(), 1000, second.usedBytes()));
    assertThat(storage(tensors.get(2)).storedBytes()).isEqualTo(-1);
  }

  @Test
  void aFileOfTheRightSizeWithoutADirectoryIsToldFromACutOne() throws IOException {
    byte[] blank = TorchFileWriter.sample(64, 4, "bfloat16", 64, 7168).bytes();
    Arrays.fill(blank, blank.length / 2, blank.length, (byte) 0);

    List<Finding> findings = reader.read(new CountingBytes("data_0.pt", blank)).findings();

    assertThat(findings).extracting(Finding::code).containsExactly("file.no-directory");
    assertThat(findings.get(0).evidence())
        .contains(String.format("it needs %,d bytes, and has them", blank.length))
        .anyMatch(each -> each.startsWith("at least its last 32,768 bytes are zero"));
  }

  @Test
  void aPickleThatIsCutTellsWhatItHas() throws IOException {
    byte[] whole = TorchFileWriter.sample(64, 40, "bfloat16", 64, 128).bytes();

    TensorFile file = reader.read(new CountingBytes("data_0.pt", Arrays.copyOf(whole, 1000)));

    assertThat(file.findings()).extracting(Finding::code).containsExactly("file.cut");
    assertThat(file.keys()).containsExactly("input_ids", "hidden_states");
    assertThat(file.under("hidden_states")).hasSize(13);
  }

  @Test
  void everyCutOfASmallFileIsAnError() throws IOException {
    byte[] whole = Fixtures.bytes("torch-2.14/shared.pt");

    for (int length = 0; length < whole.length; length++) {
      TensorFile file = reader.read(new CountingBytes("cut.pt", Arrays.copyOf(whole, length)));

      assertThat(file.findings())
          .as(length + " bytes")
          .anyMatch(finding -> finding.severity() == Severity.ERROR);
    }
  }

  private Finding cutFinding(String name, byte[] content) throws IOException {
    return reader.read(new CountingBytes(name, content)).findings().stream()
        .filter(finding -> finding.code().equals("file.cut"))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isWholeTorchZip(String name) {
    TensorFile file = Fixtures.read(name);
    return file.container() == ContainerKind.TORCH_ZIP
        && file.findings().stream().noneMatch(finding -> finding.code().equals("file.no-pickle"));
  }

  private static StorageExtent storage(TensorEntry tensor) {
    return Objects.requireNonNull(tensor.storage());
  }
}
