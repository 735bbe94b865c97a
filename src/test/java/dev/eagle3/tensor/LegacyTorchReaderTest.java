package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.outcome.Finding;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of {@code torch.save} from before 1.6, and of later versions that were asked for them. */
class LegacyTorchReaderTest {
  /** The magic number, the version, and facts of the system, in protocol 2. */
  private static final String PREAMBLE =
      "\200\002\212\012\154\374\234\106\371\040\152\250\120\031.\200\002M\351\003.\200\002}q\000.";

  private static final String STORAGE = storage("K\004", "N");

  @ParameterizedTest
  @ValueSource(strings = {"torch-1.13/legacy_small.pt", "torch-2.14/legacy_small.pt"})
  void valuesStandWhereAStorageSays(String name) {
    byte[] content = Fixtures.bytes(name);
    TensorFile file = TorchFiles.read(content);

    assertThat(file.container()).isEqualTo(ContainerKind.TORCH_LEGACY);
    assertThat(file.findings()).isEmpty();
    StorageExtent floats = Objects.requireNonNull(file.tensors().get(0).storage());
    // 0, 1, 2, 3 in float32.
    assertThat(Slice.of(content).u32((int) floats.fileOffset() + 4)).isEqualTo(0x3f80_0000L);
    assertThat(floats.storedBytes()).isEqualTo(16);
  }

  @ParameterizedTest
  @ValueSource(strings = {"torch-1.13/legacy_small.pt", "torch-2.14/legacy_small.pt"})
  void aCutFileSaysHowLongItShouldBe(String name) {
    byte[] whole = Fixtures.bytes(name);
    int data = whole.length - 8 - 16 - 8 - 16;

    for (int length = 4; length < whole.length; length++) {
      TensorFile file = TorchFiles.read(Arrays.copyOf(whole, length));

      assertThat(file.container()).as("%d bytes", length).isEqualTo(ContainerKind.TORCH_LEGACY);
      assertThat(file.findings()).as("%d bytes", length).hasSize(1);
      assertThat(file.findings().get(0).code()).isEqualTo("file.cut");
      if (length >= data) {
        assertThat(file.findings().get(0).expected()).isEqualTo(whole.length + " bytes");
        assertThat(file.tensors()).hasSize(2);
      }
    }
    assertThat(cut(whole, data - 1))
        .isEqualTo(
            tuple(
                "at least " + whole.length + " bytes",
                (data - 1) + " bytes: none of its 2 storages is whole"));
    assertThat(cut(whole, data + 25))
        .isEqualTo(
            tuple(
                whole.length + " bytes",
                (data + 25) + " bytes: the first 1 of 2 storages are whole"));
  }

  @Test
  void aStorageOfAnotherSizeIsNamed() {
    byte[] content = legacy(tensor(STORAGE), list("0"), elements(3), new byte[16]);

    assertThat(finding(content, "file.storage-size").actual())
        .isEqualTo("storage 0 has 3 elements, the pickle says 4");
  }

  @Test
  void aStorageThatTheListDoesNotNameIsMissing() {
    byte[] content = legacy(tensor(STORAGE), list());

    assertThat(finding(content, "file.storage-missing").actual())
        .isEqualTo("storage 0 is not in the list");
  }

  @Test
  void aStorageThatNoTensorHasIsNamed() {
    byte[] content = legacy(tensor(STORAGE), list("0", "1"), elements(4), new byte[16]);

    assertThat(finding(content, "file.pickle-invalid").actual())
        .isEqualTo("it names a storage that belongs to no tensor");
  }

  @Test
  void bytesAfterTheLastStorageAreNamed() {
    byte[] content = legacy(tensor(STORAGE), list("0"), elements(4), new byte[16 + 5]);

    assertThat(finding(content, "file.trailing-bytes").actual()).isEqualTo("5 bytes more");
  }

  @Test
  void aPartOfAStorageIsAStorageOfItsOwn() {
    String part = storage("K\012", "(X\001\000\000\000vK\002K\004t");
    byte[] content = legacy(tensor(part), list("0"), elements(10), new byte[40]);

    TensorFile file = TorchFiles.read(content);

    StorageExtent extent = Objects.requireNonNull(file.tensors().get(0).storage());
    assertThat(file.findings()).isEmpty();
    assertThat(extent.fileOffset()).isEqualTo(content.length - 40 + 8);
    assertThat(extent.storedBytes()).isEqualTo(16);
    assertThat(extent.declaredBytes()).isEqualTo(16);
  }

  @Test
  void theClassOfAModuleWithItsSourceIsAClass() {
    byte[] content =
        legacy(
            "(X\006\000\000\000modulecmine\nNet\nX\006\000\000\000net.pyX\004\000\000\000pass"
                + "tQ)\201}X\001\000\000\000w"
                + tensor(STORAGE)
                + "sb",
            list("0"),
            elements(4),
            new byte[16]);

    TensorFile file = TorchFiles.read(content);

    assertThat(file.globals()).startsWith("mine.Net");
    assertThat(file.findings())
        .extracting(Finding::code)
        .containsExactly("file.opaque-object", "file.weights-only-refused");
    assertThat(file.findings().get(0).evidence())
        .containsExactly("1 tensor within, not listed: w float32 [4]");
  }

  @Test
  void otherProtocolsAreRead() {
    String framed =
        "\200\004\225\015\000\000\000\000\000\000\000"
            + "\212\012\154\374\234\106\371\040\152\250\120\031.";
    String third = "\200\003\212\012\154\374\234\106\371\040\152\250\120\031.";

    for (String magic : List.of(framed, third)) {
      byte[] content =
          join(
              magic + PREAMBLE.substring(15) + "\200\002" + tensor(STORAGE) + "." + list("0"),
              elements(4),
              new byte[16]);

      TensorFile file = TorchFiles.read(content);

      assertThat(file.container()).isEqualTo(ContainerKind.TORCH_LEGACY);
      assertThat(file.tensors()).extracting(TensorEntry::shape).containsExactly(List.of(4L));
    }
  }

  @Test
  void aVersionThatTorchDoesNotKnowIsNamed() {
    String other = PREAMBLE.replace("M\351\003", "M\352\003");
    byte[] content =
        join(other + "\200\002" + tensor(STORAGE) + "." + list("0"), elements(4), new byte[16]);

    assertThat(finding(content, "file.version-unknown").actual()).isEqualTo("version 1002");
  }

  @Test
  void aLongPickleIsReadToItsEnd() {
    String text = "X\240\206\001\000" + "x".repeat(100_000);
    byte[] content =
        legacy("](" + text + tensor(STORAGE) + "e", list("0"), elements(4), new byte[16]);

    assertThat(TorchFiles.read(content).tensors())
        .extracting(TensorEntry::path)
        .containsExactly("[1]");
  }

  @Test
  void theLengthOfAListOfKeysIsAsPythonWritesIt() {
    for (int count : List.of(0, 1, 2, 255, 256, 999, 1000, 1001, 1002, 2500)) {
      List<StorageReference> storages = new java.util.ArrayList<>();
      PickleWriter list = new PickleWriter().opcode(']').put();
      List<Runnable> items = new java.util.ArrayList<>();
      for (int index = 0; index < count; index++) {
        String key = "9" + index;
        storages.add(new StorageReference(key, null, 1, "cpu", null));
        items.add(() -> list.text(key));
      }
      list.batches(items, 'a', 'e');

      assertThat(LegacyLayout.listBytes(storages)).as("%d", count).isEqualTo(list.stop().length);
    }
  }

  private static org.assertj.core.groups.Tuple cut(byte[] whole, int length) {
    Finding finding = TorchFiles.read(Arrays.copyOf(whole, length)).findings().get(0);
    return tuple(finding.expected(), finding.actual());
  }

  private static Finding finding(byte[] content, String code) {
    List<Finding> findings = TorchFiles.read(content).findings();
    return findings.stream()
        .filter(finding -> finding.code().equals(code))
        .findFirst()
        .orElseThrow(() -> new AssertionError(code + " is not in " + findings));
  }

  private static String storage(String elements, String view) {
    return "(X\007\000\000\000storagectorch\nFloatStorage\nX\001\000\000\0000X\003\000\000\000cpu"
        + elements
        + view
        + "tQ";
  }

  private static String tensor(String storage) {
    return "ctorch._utils\n_rebuild_tensor_v2\n("
        + storage
        + "K\000(K\004t(K\001t\211ccollections\nOrderedDict\n)RtR";
  }

  private static String list(String... keys) {
    StringBuilder list = new StringBuilder("\200\002](");
    for (String key : keys) {
      list.append("X\001\000\000\000").append(key);
    }
    return list + "e.";
  }

  private static byte[] elements(long count) {
    return new LittleEndian().i64(count).toBytes();
  }

  private static byte[] legacy(String object, String list, byte[]... storages) {
    return join(PREAMBLE + "\200\002" + object + "." + list, storages);
  }

  private static byte[] join(String pickles, byte[]... storages) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(TorchFiles.pickle(pickles));
    for (byte[] storage : storages) {
      out.writeBytes(storage);
    }
    return out.toByteArray();
  }
}
