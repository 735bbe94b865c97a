package dev.eagle3.tensor;

import dev.eagle3.tensor.GzipInflater.Inflated;
import dev.eagle3.tensor.TensorAssembler.Stored;
import dev.eagle3.tensor.TorchHeadReader.FirstEntry;
import dev.eagle3.tensor.TorchHeadReader.Measure;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a torch zip within gzip, as SpecForge writes {@code .ckpt.gz}: {@code torch.save} into
 * Python's {@code gzip.open}, which makes one member.
 *
 * <p>Such a file cannot be read in ranges, and its ZIP directory comes last, so what is known
 * depends on its size. A small one is inflated whole and read as if it lay there unpacked. Of a
 * large one only the start is inflated, up to the end of the pickle: names, shapes and dtypes are
 * known; that nothing is missing is told by the length in the gzip trailer, which must be that of
 * torch's layout. What lies between, checksums and values, is not looked at.
 */
final class GzipReader {
  /** A compressed file up to this size is fetched and inflated whole. */
  private static final int SMALL_BYTES = 256 * 1024;

  /** Of a larger one, so much is fetched first. */
  private static final int FIRST_BYTES = 64 * 1024;

  private static final int TRAILER_BYTES = 8;

  /** What is needed behind the pickle to see which version of torch wrote it. */
  private static final int BEHIND_PICKLE_BYTES = 1024;

  private static final byte[] ZIP = {'P', 'K', 3, 4};

  private final FileWindow window;
  private final ReadLimits limits;
  private final Findings findings;

  GzipReader(FileWindow window, ReadLimits limits, Findings findings) {
    this.window = window;
    this.limits = limits;
    this.findings = findings;
  }

  static boolean looksLike(Slice head) {
    return head.startsWith((byte) 0x1f, (byte) 0x8b);
  }

  TensorContent read() throws IOException, FileFault {
    if (window.size() <= SMALL_BYTES) {
      Slice packed = window.fetch(window.head(SMALL_BYTES));
      Inflated all = inflated(packed, limits.inflatedBytes());
      if (all.end() != GzipInflater.End.LIMIT) {
        return whole(all, packed.length());
      }
    }
    return start();
  }

  private Inflated inflated(Slice packed, int mostBytes) throws FileFault {
    Inflated inflated = GzipInflater.inflate(packed, mostBytes);
    if (inflated == null || (inflated.end() == GzipInflater.End.BROKEN && inflated.length() == 0)) {
      throw new FileFault("file.gzip-invalid", "gzip data that can be inflated", "broken data");
    }
    return inflated;
  }

  // Small files.

  private TensorContent whole(Inflated all, int packedBytes) throws IOException, FileFault {
    switch (all.end()) {
      case DAMAGED ->
          findings.error(
              "file.checksum",
              "gzip data with the checksum and length that were recorded",
              "others",
              "Python's gzip refuses to read it to its end");
      case INPUT, BROKEN ->
          findings.error(
              "file.gzip-invalid",
              "a whole gzip stream",
              Findings.grouped(packedBytes)
                  + " bytes that inflate to "
                  + Findings.grouped(all.length())
                  + (all.end() == GzipInflater.End.INPUT
                      ? " and then end"
                      : " and then are broken"));
      default -> {
        if (all.consumed() < packedBytes) {
          findings.error(
              "file.trailing-bytes",
              Findings.grouped(all.consumed()) + " bytes of gzip",
              Findings.grouped(packedBytes - (long) all.consumed()) + " bytes more");
        }
      }
    }
    note("it inflates to " + bytes(all.length()) + ", which other messages count");
    if (!all.content().startsWith(ZIP)) {
      return foreign(all.content());
    }
    FileWindow content = FileWindow.of(all.content());
    try {
      return elsewhere(new TorchZipReader(content, limits, findings).read());
    } catch (FileFault fault) {
      findings.add(fault);
      return TensorContent.nothing(ContainerKind.TORCH_ZIP_IN_GZIP);
    }
  }

  private TensorContent foreign(Slice content) {
    String kind =
        LegacyTorchReader.looksLike(content)
            ? "a torch legacy file"
            : SafetensorsReader.looksLike(content)
                ? "a safetensors file"
                : ForeignFormat.name(content, content);
    findings.error(
        "file.foreign",
        "a torch zip within gzip",
        "gzip data of " + (content.length() == 0 ? "nothing" : kind));
    return TensorContent.nothing(ContainerKind.FOREIGN);
  }

  /** Places within what was inflated are no places in the file. */
  private static TensorContent elsewhere(TensorContent content) {
    return new TensorContent(
        content.container() == ContainerKind.TORCH_ZIP
            ? ContainerKind.TORCH_ZIP_IN_GZIP
            : content.container(),
        content.keys(),
        content.tensors().stream().map(TensorEntry::withoutPlace).toList(),
        content.arrays(),
        content.globals(),
        content.texts());
  }

  // Large files.

  private TensorContent start() throws IOException, FileFault {
    int mostPacked = (int) Math.min(window.size(), limits.headerBytes());
    int packedBytes = Math.min(mostPacked, FIRST_BYTES);
    int bytes = Math.min(limits.headerBytes(), 4 * FIRST_BYTES);
    while (true) {
      Inflated start = inflated(window.fetch(window.head(packedBytes)), bytes);
      if (!start.content().startsWith(ZIP)) {
        return foreign(start.content());
      }
      boolean isAll =
          switch (start.end()) {
            case INPUT -> packedBytes == mostPacked;
            case LIMIT -> bytes == limits.headerBytes();
            default -> true;
          };
      TensorContent content = head(start, isAll);
      if (content != null) {
        return content;
      }
      if (start.end() == GzipInflater.End.LIMIT) {
        bytes = (int) Math.min(limits.headerBytes(), bytes * 4L);
      } else {
        packedBytes = (int) Math.min(mostPacked, packedBytes * 2L);
      }
    }
  }

  /** What the start of the zip says; null when more of it is needed. */
  private @Nullable TensorContent head(Inflated start, boolean isAll)
      throws IOException, FileFault {
    FileWindow content = FileWindow.of(start.content());
    TorchHeadReader head = new TorchHeadReader(content);
    FirstEntry first = head.first();
    if (first == null) {
      throw new FileFault(
          "file.gzip-unread",
          "a pickle at the start of the zip within gzip",
          "something else; inflate it first",
          "torch.save puts the pickle first, TorchScript and other programs do not");
    }
    PickleTree tree = new PickleFetcher(content, limits).read(first.dataOffset());
    boolean isEnough =
        !tree.endsEarly()
            && first.dataOffset() + tree.length() + BEHIND_PICKLE_BYTES < start.length();
    if (!isEnough && !isAll) {
      return null;
    }
    if (tree.endsEarly() && start.end() == GzipInflater.End.LIMIT) {
      findings.error("file.limit", "a pickle of at most " + bytes(start.length()), "a longer one");
    } else if (tree.endsEarly()) {
      findings.error(
          "file.cut", "more bytes", bytes(window.size()) + ": it ends within the pickle");
    }
    TorchPickle torch = new TorchPickle(tree, limits);
    torch.interpret(findings);
    note("only its first " + bytes(start.length()) + " were inflated: no checksums, no values");
    Map<String, Stored> stored =
        torch.isWhole()
            ? stored(head.measure(first, tree.length(), torch.storages()), torch.storages())
            : Map.of();
    List<TensorEntry> tensors =
        new TensorAssembler(torch.storages(), stored).assemble(torch.found(), findings);
    return TensorContent.of(ContainerKind.TORCH_ZIP_IN_GZIP, torch, tensors);
  }

  /** Holds the length that torch's layout needs against the one that gzip recorded. */
  private Map<String, Stored> stored(@Nullable Measure measure, StorageTable storages) {
    Slice tail = window.slice(window.tail(TRAILER_BYTES));
    long recorded = tail.u32(TRAILER_BYTES - Integer.BYTES);
    if (measure == null || !measure.isExact()) {
      note("whether it is whole cannot be told without inflating it");
      return Map.of();
    }
    if ((measure.plan().fileBytes() & 0xffff_ffffL) != recorded) {
      findings.error(
          "file.cut",
          "gzip data of " + measure.needs(),
          bytes(window.size()) + ", which do not end as such data does",
          "writing or copying it did not finish, or it was not written by torch.save");
      return Map.of();
    }
    Map<String, Stored> stored = new HashMap<>();
    for (StorageReference storage : storages.inOrder()) {
      stored.put(storage.key(), new Stored(-1, storage.declaredBytes(), -1));
    }
    return stored;
  }

  private void note(String says) {
    findings.note("file.gzip", "a file that can be read in ranges", "gzip: " + says);
  }

  private static String bytes(long count) {
    return Findings.grouped(count) + " bytes";
  }
}
