package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What commons-compress finds in a ZIP, we find too: names, sizes, checksums, where data starts.
 */
class ZipDirectoryOracleTest {
  @TempDir private Path folder;

  private record Line(String name, int method, long crc, long bytes, long packed, long data) {}

  static Stream<String> zips() {
    return Stream.of("torch-1.13", "torch-2.11", "torch-2.14", "real", "corrupt", "hostile")
        .flatMap(Fixtures::in)
        .filter(ZipDirectoryOracleTest::isReadableByTheOracle);
  }

  @ParameterizedTest
  @MethodSource("zips")
  void aFixtureHasTheSameEntries(String name) throws IOException, FileFault {
    assertThat(ours(Fixtures.path(name))).isEqualTo(theirs(Fixtures.path(name)));
  }

  @Test
  void storagesOver4GiBAreFound() throws IOException, FileFault {
    Path file = folder.resolve("big.pt");
    new TorchFileWriter("big")
        .withoutChecksums()
        .tensor("small", "float32", 8)
        .tensor("big", "bfloat16", 400_000, 7168)
        .tensor("after", "float32", 8)
        .write(file);

    assertThat(ours(file)).isEqualTo(theirs(file));
  }

  @Test
  void aFileOver4GiBIsReadInOneCall() throws IOException {
    Path path = folder.resolve("big.pt");
    new TorchFileWriter("big")
        .withoutChecksums()
        .tensor("big", "bfloat16", 400_000, 7168)
        .tensor("after", "float32", 8)
        .write(path);

    TensorFile file = new TensorFileReader().read(ranged(path));

    assertThat(file.bytes()).isGreaterThan(1L << 32);
    assertThat(file.findings()).isEmpty();
    assertThat(file.tensors())
        .extracting(TensorEntry::shape)
        .containsExactly(List.of(400_000L, 7168L), List.of(8L));
  }

  @Test
  @Tag("slow")
  void moreEntriesThan16BitsCountAreFound() throws IOException, FileFault {
    Path file = folder.resolve("many.pt");
    Files.write(
        file, new TorchFileWriter("many").layers("hidden_states", 70_000, "uint8", 1).bytes());

    assertThat(ours(file)).hasSize(70_006).isEqualTo(theirs(file));
  }

  @Test
  void anotherAlignmentIsFound() throws IOException, FileFault {
    Path file = folder.resolve("aligned.pt");
    new TorchFileWriter("aligned")
        .alignedTo(4096)
        .layers("hidden_states", 9, "float32", 100, 1000)
        .write(file);

    assertThat(ours(file)).isEqualTo(theirs(file));
  }

  private static List<Line> ours(Path file) throws IOException, FileFault {
    ReadLimits limits = ReadLimits.forHeap(8L << 30);
    Findings findings = new Findings("zip");
    try (FileWindow window = FileWindow.open(ranged(file), new Semaphore(1))) {
      ZipTrailer trailer = Objects.requireNonNull(ZipTrailer.find(window));
      ByteRange range = trailer.directory(limits.directoryBytes());
      ZipDirectory directory =
          new ZipDirectoryReader(limits).read(window.fetch(range), trailer, findings);
      LocalHeaders headers = new LocalHeaders(window, directory, trailer.directoryOffset());
      headers.readFetched();
      headers.locateOthers(file.endsWith("aligned.pt") ? 4096 : 64);
      return directory.records().stream()
          .map(
              record ->
                  new Line(
                      record.name(),
                      record.method(),
                      record.crc(),
                      record.bytes(),
                      record.packedBytes(),
                      headers.dataOffset(record)))
          .toList();
    }
  }

  private static List<Line> theirs(Path file) throws IOException {
    try (ZipFile zip = ZipFile.builder().setPath(file).get()) {
      List<ZipArchiveEntry> entries = Collections.list(zip.getEntries());
      return entries.stream()
          .map(
              entry ->
                  new Line(
                      entry.getName(),
                      entry.getMethod(),
                      entry.getCrc(),
                      entry.getSize(),
                      entry.getCompressedSize(),
                      entry.getDataOffset()))
          .toList();
    }
  }

  private static boolean isReadableByTheOracle(String name) {
    byte[] bytes = Fixtures.bytes(name);
    if (bytes.length < 4 || bytes[0] != 'P' || bytes[1] != 'K') {
      return false;
    }
    try {
      return !theirs(Fixtures.path(name)).isEmpty();
    } catch (IOException notForThem) {
      return false;
    }
  }

  private static RangedBytes ranged(Path file) {
    LocalFileTree files = new LocalFileTree();
    try {
      FileStat stat = files.stat(file.toString()).orElseThrow();
      return RangedBytes.of(files, stat);
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }
}
