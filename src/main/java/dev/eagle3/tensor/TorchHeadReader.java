package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the start of a torch zip: the pickle is the first entry and ends itself, so what the file
 * should hold is known without the ZIP directory at its end, and by torch's layout how long it
 * should be.
 */
final class TorchHeadReader {
  private static final byte[] LOCAL_HEADER = {'P', 'K', 3, 4};

  /** Flags of torch's own local headers: sizes follow the content; the name is UTF-8. */
  private static final int TORCH_FLAGS = 0x0808;

  /** What is fetched to see the name of an entry. */
  private static final int MOST_NAME_BYTES = 512;

  private static final String PICKLE = "/data.pkl";

  private final FileWindow window;

  TorchHeadReader(FileWindow window) {
    this.window = window;
  }

  /** The entry at the start of the file. */
  record FirstEntry(String root, long dataOffset, boolean isTorchLayout) {
    /** To what multiple the writer aligned contents: the first one tells. */
    private int alignment() {
      int nameBytes = (root + PICKLE).getBytes(StandardCharsets.UTF_8).length;
      long usual = TorchLayout.dataOffset(0, nameBytes, 0, TorchLayout.DEFAULT_ALIGNMENT);
      return dataOffset == usual ? TorchLayout.DEFAULT_ALIGNMENT : (int) dataOffset;
    }
  }

  /**
   * Where everything should be.
   *
   * @param storages how many there are
   * @param isExact whether it is known which version wrote it; else it may need a little more
   */
  record Measure(TorchLayout.Plan plan, int storages, boolean isExact) {
    String needs() {
      return (isExact ? "" : "at least ") + Findings.grouped(plan.fileBytes()) + " bytes";
    }
  }

  /** The pickle's, where that comes first and is here; else null. */
  @Nullable FirstEntry first() throws IOException, FileFault {
    String name = nameAt(0);
    if (name == null || !name.endsWith(PICKLE)) {
      return null;
    }
    Slice header = window.slice(0, ZipRecord.LOCAL_HEADER_BYTES);
    long data = (long) ZipRecord.LOCAL_HEADER_BYTES + header.u16(26) + header.u16(28);
    if (data >= window.size() || header.u16(8) != ZipRecord.STORED) {
      return null;
    }
    String root = name.substring(0, name.length() - PICKLE.length());
    return new FirstEntry(root, data, header.u16(6) == TORCH_FLAGS);
  }

  /** Lays the file out; null where another program wrote it, or sizes are unknown. */
  @Nullable Measure measure(FirstEntry first, long pickleBytes, StorageTable storages)
      throws IOException, FileFault {
    List<StorageReference> saved =
        storages.inOrder().stream().filter(each -> !each.location().equals("meta")).toList();
    if (!first.isTorchLayout() || saved.stream().anyMatch(each -> each.declaredBytes() < 0)) {
      return null;
    }
    String second = nameAt(TorchLayout.next(0, first.dataOffset(), pickleBytes));
    String folder = first.root() + "/";
    String name =
        second != null && second.startsWith(folder) ? second.substring(folder.length()) : "";
    TorchLayout.Writer writer = TorchLayout.Writer.ofSecond(name);
    TorchLayout.Plan plan =
        TorchLayout.plan(first.root(), pickleBytes, saved, writer, first.alignment());
    return new Measure(plan, saved.size(), !name.isEmpty());
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
