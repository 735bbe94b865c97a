package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorAssembler.Stored;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file that {@code torch.save} wrote as a ZIP: the directory, the pickle, and one against
 * the other. Small files and those of a few hundred tensors take one call, others two or three.
 */
final class TorchZipReader {
  /** A pickle has about this much for an entry of the directory; 110 at the most were measured. */
  private static final int PICKLE_BYTES_PER_ENTRY = 112;

  /** The small last entries stand right before the directory, so they are fetched with it. */
  private static final int LAST_ENTRIES_BYTES = 512;

  private final FileWindow window;
  private final ReadLimits limits;
  private final Findings findings;

  TorchZipReader(FileWindow window, ReadLimits limits, Findings findings) {
    this.window = window;
    this.limits = limits;
    this.findings = findings;
  }

  /** Reads the file. Not every ZIP comes from torch: the answer says what it is. */
  TensorContent read() throws IOException, FileFault {
    ZipTrailer trailer = ZipTrailer.find(window);
    if (trailer == null) {
      return new CutTorchReader(window, limits, findings).read();
    }
    ZipDirectory directory = directory(trailer);
    if (directory.records().isEmpty()) {
      findings.error("file.foreign", "a tensor file", "a zip archive whose directory is empty");
      return TensorContent.nothing(ContainerKind.FOREIGN);
    }
    TorchArchive archive = new TorchArchive(directory);
    if (!archive.isFromTorch()) {
      findings.error("file.foreign", "a tensor file", archive.otherKind());
      return TensorContent.nothing(ContainerKind.FOREIGN);
    }
    LocalHeaders headers = new LocalHeaders(window, directory, trailer.directoryOffset());
    ZipContents contents = new ZipContents(window, headers, trailer.directoryOffset());
    locate(archive, headers, contents);
    archive.check(contents, findings);
    checkContents(directory, headers, contents);
    return tensors(archive, headers, contents);
  }

  private ZipDirectory directory(ZipTrailer trailer) throws IOException, FileFault {
    ByteRange range = trailer.directory(limits.directoryBytes());
    long before = Math.min(LAST_ENTRIES_BYTES, range.offset());
    ByteRange withLast = new ByteRange(range.offset() - before, (int) (range.length() + before));
    window.ensure(List.of(withLast, likelyPickle(trailer)));
    ZipDirectory directory =
        new ZipDirectoryReader(limits).read(window.slice(range), trailer, findings);
    checkDirectory(trailer, directory);
    return directory;
  }

  /**
   * Where the pickle should be, by the number of entries: saves a call on files of many tensors.
   */
  private ByteRange likelyPickle(ZipTrailer trailer) {
    long likely = Math.min(trailer.entries(), limits.entries()) * PICKLE_BYTES_PER_ENTRY;
    long most = Math.min(limits.headerBytes(), trailer.directoryOffset());
    return window.head((int) Math.min(Math.max(likely, FileWindow.EDGE_BYTES), most));
  }

  private void checkDirectory(ZipTrailer trailer, ZipDirectory directory) throws FileFault {
    if (!trailer.follows()) {
      findings.error(
          "file.concatenated",
          "one zip archive, with its end records right after its directory",
          "end records that belong to another place",
          "two archives in one file, or bytes in front of one",
          "torch.load does not notice: it goes where the last end records point");
    }
    if (trailer.end() < window.size()) {
      findings.error(
          "file.trailing-bytes",
          Findings.grouped(trailer.end()) + " bytes",
          Findings.grouped(window.size() - trailer.end()) + " bytes more",
          "torch.load passes over up to 65,535 of them");
    }
    findings.gather(
        Severity.ERROR,
        "file.duplicate-name",
        "each zip entry once",
        "zip entries stand twice",
        directory.duplicates());
    findings.gather(
        Severity.ERROR,
        "file.hostile-overlap",
        "zip entries one after another",
        "zip entries lie over each other",
        directory.overlaps());
  }

  /** Finds where contents start, and fetches the pickle and the small entries. */
  private void locate(TorchArchive archive, LocalHeaders headers, ZipContents contents)
      throws IOException, FileFault {
    ZipRecord pickle = archive.record("data.pkl");
    ZipRecord constants = archive.constants();
    checkLimit(pickle);
    checkLimit(constants);
    headers.readFetched();
    window.ensure(
        Stream.of(Stream.ofNullable(pickle), Stream.ofNullable(constants), archive.smallRecords())
            .flatMap(records -> records)
            .map(contents::range)
            .toList());
    headers.readFetched();
    headers.locateOthers(archive.alignment(contents));
  }

  private void checkLimit(@Nullable ZipRecord pickle) throws FileFault {
    if (pickle != null && pickle.packedBytes() > limits.headerBytes()) {
      throw new FileFault(
          "file.limit",
          "a pickle of at most " + Findings.grouped(limits.headerBytes()) + " bytes",
          Findings.grouped(pickle.packedBytes()) + " bytes");
    }
  }

  /** The names in the second pickle that a TorchScript archive has, for its constants. */
  private List<String> constants(TorchArchive archive, ZipContents contents, List<String> names) {
    ZipRecord record = archive.constants();
    if (record == null) {
      return names;
    }
    PickleTree tree;
    try {
      tree = new PickleReader(limits).read(contents.content(record, limits.inflatedBytes()));
    } catch (FileFault fault) {
      findings.add(fault);
      return names;
    }
    if (tree.problem() != null) {
      findings.error(
          "file.pickle-invalid",
          "a pickle that can be read",
          "constants.pkl: " + tree.problem().line());
    }
    List<String> more = tree.globals().stream().filter(name -> !names.contains(name)).toList();
    TorchPickle.judgeDanger(more, findings);
    return Stream.concat(names.stream(), more.stream()).toList();
  }

  private void checkContents(ZipDirectory directory, LocalHeaders headers, ZipContents contents) {
    findings.gather(
        Severity.ERROR,
        "file.local-header",
        "local headers that say what the directory says",
        "local headers differ from the directory",
        headers.faults(),
        "torch.load goes by the directory and does not notice");
    findings.gather(
        Severity.ERROR,
        "file.checksum",
        "contents with the checksums that were recorded",
        "entries are damaged",
        contents.damaged(directory.records()),
        "torch.load never looks at checksums and does not notice");
  }

  private TensorContent tensors(TorchArchive archive, LocalHeaders headers, ZipContents contents)
      throws FileFault {
    ZipRecord pickle = archive.record("data.pkl");
    if (pickle == null) {
      throw new FileFault(
          "file.no-pickle",
          "data.pkl, which says what the file holds",
          "no data.pkl",
          "torch.save leaves such a file when it meets an object that it cannot save");
    }
    Slice bytes = contents.content(pickle, limits.inflatedBytes());
    PickleTree tree = new PickleReader(limits).read(bytes);
    if (tree.problem() == null && tree.length() < bytes.length()) {
      findings.error(
          "file.hostile-after-stop",
          "a pickle that ends with its last opcode",
          Findings.grouped(bytes.length() - (long) tree.length()) + " bytes after it",
          "torch.load does not look at them");
    }
    if (tree.endsEarly() && tree.problem() != null) {
      findings.error("file.pickle-invalid", "a pickle that ends with STOP", tree.problem().line());
    }
    TorchPickle torch = new TorchPickle(tree, limits);
    torch.interpret(findings);
    TensorAssembler assembler =
        new TensorAssembler(torch.storages(), stored(torch.storages(), archive, headers));
    List<TensorEntry> tensors = assembler.assemble(torch.found(), findings);
    if (torch.isWhole()) {
      assembler.checkSizes(findings);
      archive.checkUnused(torch.storages(), findings);
    }
    return TensorContent.of(ContainerKind.TORCH_ZIP, torch, tensors)
        .withGlobals(constants(archive, contents, torch.globals()));
  }

  /** What the file holds of each storage that the pickle names. */
  private static Map<String, Stored> stored(
      StorageTable storages, TorchArchive archive, LocalHeaders headers) {
    Map<String, Stored> stored = new HashMap<>();
    for (StorageReference storage : storages.inOrder()) {
      ZipRecord record = archive.storage(storage.key());
      if (record != null) {
        // Compressed bytes are no place to read values from.
        long offset = record.isStored() ? headers.dataOffset(record) : -1;
        // torch can be told to record none, which leaves 0.
        long crc = record.isStored() && record.crc() != 0 ? record.crc() : -1;
        stored.put(storage.key(), new Stored(offset, record.bytes(), crc));
      }
    }
    return stored;
  }
}
