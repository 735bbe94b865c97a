package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TensorFileReaderTest {
  private final TensorFileReader reader = new TensorFileReader();

  @Test
  void aSampleIsListedByLayer() throws IOException {
    byte[] content = TorchFileWriter.sample(5, 4, "bfloat16", 5, 7168).bytes();

    TensorFile file = reader.read(new CountingBytes("data_0.pt", content));

    assertThat(file.name()).isEqualTo("data_0.pt");
    assertThat(file.container()).isEqualTo(ContainerKind.TORCH_ZIP);
    assertThat(file.bytes()).isEqualTo(content.length);
    assertThat(file.keys()).containsExactly("input_ids", "hidden_states", "loss_mask");
    assertThat(file.under("hidden_states"))
        .extracting(TensorEntry::path, TensorEntry::dtype, TensorEntry::shape)
        .first()
        .isEqualTo(tuple("hidden_states[0]", "bfloat16", List.of(5L, 7168L)));
    assertThat(file.globals())
        .containsExactly(
            "torch._utils._rebuild_tensor_v2",
            "torch.LongStorage",
            "collections.OrderedDict",
            "torch.BFloat16Storage");
    assertThat(file.findings()).isEmpty();
  }

  @Test
  void valuesStandWhereAStorageSays() throws IOException {
    byte[] content = new TorchFileWriter("data_0").longs("input_ids", 7, 8, 9).bytes();

    StorageExtent storage =
        Objects.requireNonNull(
            reader.read(new CountingBytes("data_0.pt", content)).tensors().get(0).storage());

    assertThat(Slice.of(content).i64((int) storage.fileOffset() + 16)).isEqualTo(9);
    assertThat(storage.storedBytes()).isEqualTo(24);
  }

  @Test
  void whatOneStorageIsUsedForIsCountedOnce() throws IOException {
    byte[] content =
        new TorchFileWriter("views")
            .view("half", "bfloat16", 1000, 500, List.of(5L, 100L), List.of(100L, 1L))
            .view("strided", "bfloat16", 1000, 0, List.of(5L, 100L), List.of(200L, 1L))
            .view("expanded", "float32", 1, 0, List.of(50L, 50L), List.of(0L, 0L))
            .bytes();

    assertThat(reader.read(new CountingBytes("views.pt", content)).tensors())
        .extracting(tensor -> Objects.requireNonNull(tensor.storage()).usedBytes())
        .containsExactly(1000L, 1800L, 4L);
  }

  @Test
  void aPartThatWasSavedWithAllOfItsStorageIsNamed() throws IOException {
    byte[] part =
        new TorchFileWriter("part")
            .view("half", "bfloat16", 100_000, 0, List.of(400L, 100L), List.of(100L, 1L))
            .bytes();
    byte[] enough =
        new TorchFileWriter("enough")
            .view("half", "bfloat16", 100_000, 0, List.of(500L, 100L), List.of(100L, 1L))
            .bytes();

    assertThat(reader.read(new CountingBytes("part.pt", part)).findings())
        .extracting(Finding::code, Finding::actual)
        .containsExactly(
            tuple("file.storage-share", "storage 0 has 200,000 bytes, its tensors use 80,000"));
    assertThat(reader.read(new CountingBytes("enough.pt", enough)).findings()).isEmpty();
  }

  @Test
  void valuesOfABigEndianMachineAreNamed() throws IOException {
    try (ZipOutput.InMemory out = new ZipOutput.InMemory()) {
      TorchZipWriter zip = new TorchZipWriter(out, "archive", 64, true);
      zip.entry("data.pkl", TorchFiles.pickle("\200\002" + TorchFiles.tensor() + "."));
      zip.entry("byteorder", "big");
      zip.entry("data/0", new byte[16]);
      zip.entry("version", "3\n");
      zip.finish();

      assertThat(TorchFiles.read(out.bytes()).findings())
          .extracting(Finding::code)
          .containsExactly("file.big-endian");
    }
  }

  @Test
  void programsThatTorchPacksAreNamed() throws IOException {
    for (String entry : List.of("archive_format", "serialized_exported_program.json")) {
      try (ZipOutput.InMemory out = new ZipOutput.InMemory()) {
        TorchZipWriter zip = new TorchZipWriter(out, "model", 64, true);
        zip.entry(entry, "pt2");
        zip.entry("version", "3");
        zip.finish();

        assertThat(TorchFiles.read(out.bytes()).findings())
            .extracting(Finding::code, Finding::actual)
            .containsExactly(tuple("file.foreign", "a program of torch.export (.pt2)"));
      }
    }
  }

  @Test
  void aPlainPickleTellsWhatItNamesAndWhichArraysItHolds() {
    TensorFile file =
        TorchFiles.read(TorchFiles.pickle("\200\002}X\001\000\000\000acposix\nsystem\n)Rs."));

    assertThat(file.container()).isEqualTo(ContainerKind.FOREIGN);
    assertThat(file.keys()).containsExactly("a");
    assertThat(file.globals()).containsExactly("posix.system");
    assertThat(file.findings())
        .extracting(Finding::code)
        .containsExactly("file.foreign", "file.hostile-global");
  }

  @Test
  void anUnreadableFileIsAnExceptionAndTheReaderGoesOn() throws IOException {
    byte[] large = TorchFileWriter.sample(9, 9_000, "uint8", 1).bytes();
    CountingBytes good = new CountingBytes("good.pt", large);

    for (int failsAt = 1; failsAt <= 2; failsAt++) {
      RangedBytes failing = new Failing(good, failsAt);
      assertThatThrownBy(() -> reader.read(failing))
          .isInstanceOf(IOException.class)
          .hasMessage("connection lost");
    }

    assertThat(reader.read(good).findings()).isEmpty();
  }

  @Test
  void manyThreadsReadWhatOneReads() throws Exception {
    List<String> names = Fixtures.in("torch-2.14").toList();
    byte[] large = TorchFileWriter.sample(9, 6_000, "uint8", 1).bytes();
    List<TensorFile> alone = names.stream().map(Fixtures::read).toList();

    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<List<TensorFile>>> answers = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        answers.add(
            threads.submit(
                () -> {
                  assertThat(reader.read(new CountingBytes("large.pt", large)).tensors())
                      .hasSize(6_002);
                  List<TensorFile> read = new ArrayList<>();
                  for (String name : names) {
                    read.add(reader.read(Fixtures.ranged(name)));
                  }
                  return read;
                }));
      }
      for (Future<List<TensorFile>> answer : answers) {
        assertThat(answer.get()).isEqualTo(alone);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void namesOfAFileThatNeedsMoreThanTorchAllowsAreSaid() {
    assertThat(Fixtures.read("torch-2.14/nested.pt").findings())
        .extracting(Finding::code, Finding::actual)
        .contains(
            tuple("file.weights-only-refused", "it needs collections.defaultdict, builtins.list"));
    assertThat(Fixtures.read("torch-2.14/proto4.pt").findings())
        .extracting(Finding::actual)
        .containsExactly(
            "its pickle, protocol 4, has the opcode FRAME (\"Unsupported operand 149\")");
  }

  /** A file whose connection is lost at one of the calls. */
  private static final class Failing implements RangedBytes {
    private final CountingBytes file;
    private final int failsAt;
    private int calls;

    Failing(CountingBytes file, int failsAt) {
      this.file = file;
      this.failsAt = failsAt;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) throws IOException {
      if (++calls == failsAt) {
        throw new IOException("connection lost");
      }
      return file.read(ranges);
    }
  }
}
