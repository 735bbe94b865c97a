package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Torch zips within gzip, as SpecForge writes them. */
class GzipReaderTest {
  private static final byte[] SMALL = Fixtures.bytes("torch-2.11/specforge_like.ckpt.gz");

  /** About a mebibyte that does not compress. */
  private static final byte[] LARGE = large();

  @Test
  void aSmallFileIsReadAsIfItLayThereUnpacked() throws IOException {
    TensorFile packed = TorchFiles.read(SMALL);
    TensorFile plain = Fixtures.read("torch-2.11/specforge_like.ckpt");

    assertThat(packed.container()).isEqualTo(ContainerKind.TORCH_ZIP_IN_GZIP);
    assertThat(packed.bytes()).isEqualTo(SMALL.length);
    assertThat(packed.keys()).isEqualTo(plain.keys());
    assertThat(packed.tensors())
        .isEqualTo(plain.tensors().stream().map(TensorEntry::withoutPlace).toList());
    assertThat(errors(packed)).isEmpty();
  }

  @Test
  void ofALargeFileOnlyTheStartIsFetched() throws IOException {
    CountingBytes file = new CountingBytes("data_0.ckpt.gz", LARGE);

    TensorFile read = new TensorFileReader().read(file);

    assertThat(file.calls()).isLessThanOrEqualTo(2);
    assertThat(file.bytesRead()).isLessThan(128 * 1024);
    assertThat(errors(read)).isEmpty();
    assertThat(read.tensors())
        .extracting(TensorEntry::path, TensorEntry::dtype, TensorEntry::shape)
        .containsExactly(
            tuple("input_ids", "int64", List.of(64L)),
            tuple("hidden_state", "bfloat16", List.of(1L, 64L, 8192L)));
    StorageExtent storage = Objects.requireNonNull(read.tensors().get(1).storage());
    assertThat(storage.fileOffset()).isEqualTo(-1);
    assertThat(storage.storedBytes()).isEqualTo(64 * 8192 * 2);
    assertThat(read.findings())
        .extracting(Finding::code, Finding::severity)
        .containsExactly(tuple("file.gzip", Severity.NOTE));
  }

  @Test
  void aLargeFileThatWasCutIsNamedByItsTrailer() {
    TensorFile cut = TorchFiles.read(Arrays.copyOf(LARGE, LARGE.length / 2));

    assertThat(errors(cut)).containsExactly("file.cut");
    assertThat(cut.findings().get(1).expected()).startsWith("gzip data of 1,05");
    assertThat(cut.tensors()).hasSize(2);
  }

  @Test
  void aSmallFileThatWasCutSaysWhatItsContentNeeds() {
    for (int length = 30; length < SMALL.length; length += 7) {
      TensorFile cut = TorchFiles.read(Arrays.copyOf(SMALL, length));

      assertThat(errors(cut)).as("%d bytes", length).contains("file.gzip-invalid");
      assertThat(cut.container())
          .as("%d bytes", length)
          .isIn(ContainerKind.TORCH_ZIP_IN_GZIP, ContainerKind.FOREIGN);
    }
    assertThat(TorchFiles.read(Arrays.copyOf(SMALL, SMALL.length / 2)).findings())
        .filteredOn(finding -> finding.code().equals("file.cut"))
        .singleElement()
        .extracting(Finding::expected)
        .isEqualTo("6,429 bytes");
  }

  @Test
  void aChecksumThatIsWrongIsNamed() {
    byte[] damaged = SMALL.clone();
    damaged[damaged.length - 5] ^= 1;

    assertThat(errors(TorchFiles.read(damaged))).containsExactly("file.checksum");
    assertThat(TorchFiles.read(damaged).tensors()).hasSize(4);
  }

  @Test
  void aLargeFileThatBeginsWithoutItsPickleIsNotRead() throws IOException {
    byte[] noise = new byte[1 << 20];
    new Random(2).nextBytes(noise);
    try (ZipOutput.InMemory out = new ZipOutput.InMemory()) {
      TorchZipWriter zip = new TorchZipWriter(out, "archive", 64, true);
      zip.entry("code/model.py", noise);
      zip.entry("data.pkl", TorchFiles.pickle("\200\002}."));
      zip.entry("version", "3\n");
      zip.finish();

      assertThat(errors(TorchFiles.read(gzip(out.bytes())))).containsExactly("file.gzip-unread");
    }
  }

  @Test
  void bytesBehindTheStreamAreNamed() {
    assertThat(errors(TorchFiles.read(Arrays.copyOf(SMALL, SMALL.length + 9))))
        .containsExactly("file.trailing-bytes");
  }

  @Test
  void whatElseIsWithinIsNamed() throws IOException {
    assertThat(said(Fixtures.bytes("torch-2.11/meta.safetensors")))
        .isEqualTo("gzip data of a safetensors file");
    assertThat(said(Fixtures.bytes("torch-2.14/legacy_small.pt")))
        .isEqualTo("gzip data of a torch legacy file");
    assertThat(said(Fixtures.bytes("corrupt/html.pt"))).startsWith("gzip data of an HTML page");
    assertThat(said(new byte[0])).isEqualTo("gzip data of nothing");
    assertThat(said(gzip(Fixtures.bytes("torch-2.14/half.pt"))))
        .isEqualTo("gzip data of gzip data");
  }

  @Test
  void aBombIsNotInflated() throws IOException {
    assertThat(said(new byte[80 << 20])).startsWith("gzip data of zero bytes");
  }

  @Test
  void aBombWithinThePickleIsNotInflated() throws IOException {
    byte[] start = Arrays.copyOf(Fixtures.bytes("torch-2.14/half.pt"), 64);
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    bomb.writeBytes(start);
    // A text of 64 MiB of zeros, and then another.
    bomb.writeBytes(TorchFiles.pickle("\200\002](X\000\000\000\004"));
    bomb.writeBytes(new byte[64 << 20]);
    bomb.writeBytes(TorchFiles.pickle("X\000\000\000\004"));

    assertThat(errors(TorchFiles.read(gzip(bomb.toByteArray())))).containsExactly("file.limit");
  }

  @Test
  void brokenDataIsNamed() {
    assertThat(errors(TorchFiles.read(new byte[] {0x1f, (byte) 0x8b, 8})))
        .containsExactly("file.gzip-invalid");
    assertThat(errors(TorchFiles.read(new byte[] {0x1f, (byte) 0x8b, 8, 31, 0, 0, 0, 0, 0, 0, 9})))
        .containsExactly("file.gzip-invalid");
    byte[] noise = new byte[1000];
    new Random(5).nextBytes(noise);
    System.arraycopy(new byte[] {0x1f, (byte) 0x8b, 8, 0}, 0, noise, 0, 4);
    assertThat(errors(TorchFiles.read(noise))).contains("file.gzip-invalid");
  }

  private static String said(byte[] content) throws IOException {
    return TorchFiles.read(gzip(content)).findings().stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .map(Finding::actual)
        .findFirst()
        .orElseThrow();
  }

  private static List<String> errors(TensorFile file) {
    return file.findings().stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .map(Finding::code)
        .toList();
  }

  private static byte[] large() {
    byte[] noise = new byte[64 * 8192 * 2];
    new Random(1).nextBytes(noise);
    try {
      return gzip(
          new TorchFileWriter("archive")
              .tensor("input_ids", "int64", 64)
              .tensor("hidden_state", "bfloat16", noise, 1, 64, 8192)
              .bytes());
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    }
    return out.toByteArray();
  }
}
