package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import dev.eagle3.tensor.TensorAssembler.Stored;
import dev.eagle3.tensor.TorchLayout.Placed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a torch file that has no ZIP directory at its end: it was cut, or writing it stopped. The
 * pickle is the first entry and ends itself, so what the file should hold is still known, and by
 * torch's layout how long it should be.
 */
final class CutTorchReader {
  private static final byte[] LOCAL_HEADER = {'P', 'K', 3, 4};

  /** Flags of torch's own local headers: sizes follow the content; the name is UTF-8. */
  private static final int TORCH_FLAGS = 0x0808;

  /** What is fetched to see the name of an entry. */
  private static final int MOST_NAME_BYTES = 512;

  /** Fewer zero bytes at the end say nothing. */
  private static final int TELLING_ZEROS = 512;

  private final FileWindow window;
  private final ReadLimits limits;
  private final Findings findings;

  CutTorchReader(FileWindow window, ReadLimits limits, Findings findings) {
    this.window = window;
    this.limits = limits;
    this.findings = findings;
  }

  TensorContent read() throws IOException, FileFault {
    FirstEntry first = firstEntry();
    if (first == null) {
      noDirectory("what it should hold cannot be told");
      return TensorContent.nothing(ContainerKind.TORCH_ZIP);
    }
    PickleTree tree = readPickle(first.dataOffset());
    if (tree.endsEarly()) {
      cut("more bytes", "it ends within the pickle");
    }
    TorchPickle torch = new TorchPickle(tree, limits);
    torch.interpret(findings);
    Map<String, Stored> stored =
        torch.isWhole() ? measure(first, tree.length(), torch.storages()) : Map.of();
    List<TensorEntry> tensors =
        new TensorAssembler(torch.storages(), stored).assemble(torch.found(), findings);
    return new TensorContent(ContainerKind.TORCH_ZIP, torch.keys(), tensors, torch.globals());
  }

  /** The entry at the start of the file. */
  private record FirstEntry(String root, long dataOffset, boolean isTorchLayout) {
    /** To what multiple the writer aligned contents: the first one tells. */
    int alignment() {
      int nameBytes = (root + "/data.pkl").getBytes(StandardCharsets.UTF_8).length;
      long usual = TorchLayout.dataOffset(0, nameBytes, 0, TorchLayout.DEFAULT_ALIGNMENT);
      return dataOffset == usual ? TorchLayout.DEFAULT_ALIGNMENT : (int) dataOffset;
    }
  }

  /** The pickle's, where that comes first and is here; else null. */
  private @Nullable FirstEntry firstEntry() throws IOException, FileFault {
    String name = nameAt(0);
    if (name == null || !name.endsWith("/data.pkl")) {
      return null;
    }
    Slice header = window.slice(0, ZipRecord.LOCAL_HEADER_BYTES);
    long data = (long) ZipRecord.LOCAL_HEADER_BYTES + header.u16(26) + header.u16(28);
    if (data >= window.size() || header.u16(8) != ZipRecord.STORED) {
      return null;
    }
    String root = name.substring(0, name.length() - "/data.pkl".length());
    return new FirstEntry(root, data, header.u16(6) == TORCH_FLAGS);
  }

  /** Reads it from ever more of the file, until it ends. */
  private PickleTree readPickle(long offset) throws IOException, FileFault {
    long most = Math.min(window.size(), offset + limits.headerBytes());
    long end = Math.min(most, FileWindow.EDGE_BYTES);
    while (true) {
      window.ensure(List.of(window.head((int) end)));
      PickleTree tree = new PickleReader(limits).read(window.slice(offset, (int) (end - offset)));
      if (!tree.endsEarly() || end == most) {
        return tree;
      }
      end = Math.min(most, end * 2);
    }
  }

  /** Says how much is missing; gives what the file holds of each storage. */
  private Map<String, Stored> measure(FirstEntry first, long pickleBytes, StorageTable storages)
      throws IOException, FileFault {
    List<StorageReference> saved =
        storages.inOrder().stream().filter(each -> !each.location().equals("meta")).toList();
    if (!first.isTorchLayout() || saved.stream().anyMatch(each -> each.declaredBytes() < 0)) {
      noDirectory("how long it should be cannot be told");
      return Map.of();
    }
    String second = nameAt(TorchLayout.next(0, first.dataOffset(), pickleBytes));
    String folder = first.root() + "/";
    String name =
        second != null && second.startsWith(folder) ? second.substring(folder.length()) : "";
    TorchLayout.Writer writer = TorchLayout.Writer.ofSecond(name);
    TorchLayout.Plan plan =
        TorchLayout.plan(first.root(), pickleBytes, saved, writer, first.alignment());
    return report(plan, saved.size(), !name.isEmpty());
  }

  private Map<String, Stored> report(TorchLayout.Plan plan, int storages, boolean isExact) {
    Map<String, Stored> stored = new HashMap<>();
    int whole = 0;
    for (Placed entry : plan.placed()) {
      if (entry.name().startsWith("data/")) {
        long there = Math.min(entry.bytes(), window.size() - entry.dataOffset());
        whole += there == entry.bytes() ? 1 : 0;
        if (there > 0 || there == entry.bytes()) {
          String key = entry.name().substring("data/".length());
          stored.put(key, new Stored(entry.dataOffset(), there, -1));
        }
      }
    }
    String needs = (isExact ? "" : "at least ") + Findings.grouped(plan.fileBytes()) + " bytes";
    if (window.size() < plan.fileBytes()) {
      cut(needs, extent(whole, storages));
    } else {
      noDirectory("it needs " + needs + ", and has them");
    }
    return stored;
  }

  private static String extent(int whole, int storages) {
    if (whole == storages) {
      return "all storages are whole, its directory is not";
    }
    return whole == 0
        ? "none of its " + Findings.grouped(storages) + " storages is whole"
        : "the first " + whole + " of " + storages + " storages are whole";
  }

  private void cut(String needs, String extent) {
    findings.error(
        "file.cut",
        needs,
        Findings.grouped(window.size()) + " bytes: " + extent,
        evidence("writing or copying it did not finish"));
  }

  private void noDirectory(String known) {
    findings.error(
        "file.no-directory",
        "a zip directory at the end of the file",
        "none in " + Findings.grouped(window.size()) + " bytes",
        evidence(known));
  }

  private String[] evidence(String first) {
    int zeros = window.slice(window.tail(FileWindow.EDGE_BYTES)).zerosAtEnd();
    return zeros < TELLING_ZEROS
        ? new String[] {first}
        : new String[] {
          first, "at least its last " + Findings.grouped(zeros) + " bytes are zero: lost blocks?"
        };
  }

  /** The name in the local header at an offset; null when there is none. */
  private @Nullable String nameAt(long offset) throws IOException, FileFault {
    long rest = window.size() - offset;
    if (rest < ZipRecord.LOCAL_HEADER_BYTES) {
      return null;
    }
    Slice header = window.fetch(new ByteRange(offset, (int) Math.min(MOST_NAME_BYTES, rest)));
    if (!header.has(0, LOCAL_HEADER)
        || header.u16(26) > header.length() - ZipRecord.LOCAL_HEADER_BYTES) {
      return null;
    }
    return header.text(ZipRecord.LOCAL_HEADER_BYTES, header.u16(26), StandardCharsets.UTF_8);
  }
}
