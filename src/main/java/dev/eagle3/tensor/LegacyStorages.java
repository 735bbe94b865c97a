package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.Text;
import dev.eagle3.tensor.TensorAssembler.Stored;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The storages of a legacy file of torch: they stand behind its pickles, one after another. */
final class LegacyStorages {
  /** So many numbers of elements are fetched, in one call. */
  private static final int MOST_FETCHED = 1024;

  private final FileWindow window;
  private final PickleFetcher pickles;
  private final Findings findings;
  private final StorageTable table;
  private final CutReport report;

  LegacyStorages(FileWindow window, PickleFetcher pickles, Findings findings, StorageTable table) {
    this.window = window;
    this.pickles = pickles;
    this.findings = findings;
    this.table = table;
    this.report = new CutReport(window, findings);
  }

  /** What the file holds of each storage; the list of their keys begins at an offset. */
  Map<String, Stored> locate(long offset) throws IOException, FileFault {
    PickleTree list = pickles.read(offset);
    if (pickles.isCut(offset, list)) {
      List<StorageReference> sorted = table.sorted();
      long end = LegacyLayout.end(offset + LegacyLayout.listBytes(sorted), sorted);
      report.cut(
          end < 0 ? "more bytes" : "at least " + Findings.grouped(end) + " bytes",
          CutReport.extent(0, sorted.size(), "their list"));
      return Map.of();
    }
    return measure(offset + list.length(), inFile(list));
  }

  /** The storages in the order of the list; null when that says what cannot be. */
  private @Nullable List<StorageReference> inFile(PickleTree list) {
    List<StorageReference> ordered = new ArrayList<>();
    if (list.problem() != null || !(list.root() instanceof Sequence keys)) {
      listInvalid(list.problem() == null ? "it is no list" : list.problem().line());
      return null;
    }
    for (Node key : keys.items()) {
      StorageReference storage = key instanceof Text text ? table.named(text.value()) : null;
      if (storage == null) {
        listInvalid("it names a storage that belongs to no tensor");
        return null;
      }
      ordered.add(storage);
    }
    return ordered;
  }

  private void listInvalid(String why) {
    findings.error("file.pickle-invalid", "a list of the keys of storages", why);
  }

  private Map<String, Stored> measure(long start, @Nullable List<StorageReference> ordered)
      throws IOException, FileFault {
    if (ordered == null) {
      return Map.of();
    }
    long end = LegacyLayout.end(start, ordered);
    if (end < 0) {
      findings.warning(
          "file.dtype-unknown",
          "elements of a known size",
          "storages have elements of unknown size, so where they are cannot be told");
      return Map.of();
    }
    Map<String, Stored> stored = new HashMap<>();
    int whole = place(start, ordered, stored);
    if (window.size() < end) {
      String extent = CutReport.extent(whole, ordered.size(), "their list");
      report.cut(Findings.grouped(end) + " bytes", extent);
    } else if (window.size() > end && whole == ordered.size()) {
      findings.error(
          "file.trailing-bytes",
          Findings.grouped(end) + " bytes",
          Findings.grouped(window.size() - end) + " bytes more");
    }
    checkNamed(ordered);
    return stored;
  }

  /** Places storages up to the first that says another size; gives how many are whole. */
  private int place(long start, List<StorageReference> ordered, Map<String, Stored> stored)
      throws IOException, FileFault {
    window.ensure(sizes(start, ordered));
    long at = start;
    int whole = 0;
    for (StorageReference storage : ordered) {
      long data = at + Long.BYTES;
      if (data > window.size()) {
        break;
      }
      if (window.has(at, Long.BYTES)) {
        long elements = window.slice(at, Long.BYTES).i64(0);
        if (elements != storage.elements()) {
          sizeDiffers(storage, elements);
          break;
        }
      }
      long there = Math.min(storage.declaredBytes(), window.size() - data);
      stored.put(storage.key(), new Stored(data, there, -1));
      whole += there == storage.declaredBytes() ? 1 : 0;
      at = data + storage.declaredBytes();
    }
    return whole;
  }

  private List<ByteRange> sizes(long start, List<StorageReference> ordered) {
    List<ByteRange> sizes = new ArrayList<>();
    long at = start;
    for (StorageReference storage : ordered) {
      if (sizes.size() == MOST_FETCHED || at > window.size() - Long.BYTES) {
        break;
      }
      sizes.add(new ByteRange(at, Long.BYTES));
      at += Long.BYTES + storage.declaredBytes();
    }
    return sizes;
  }

  private void sizeDiffers(StorageReference storage, long elements) {
    findings.error(
        "file.storage-size",
        "storages of the size that the pickle says",
        "storage %s has %s elements, the pickle says %s"
            .formatted(
                Findings.shortened(storage.key()),
                Findings.grouped(elements),
                Findings.grouped(storage.elements())),
        "several processes wrote one file, or bytes before it were lost or added");
  }

  /** torch leaves a storage that the list does not name as it finds it in memory. */
  private void checkNamed(List<StorageReference> ordered) {
    List<StorageReference> missing = new ArrayList<>(table.inOrder());
    missing.removeAll(ordered);
    if (!missing.isEmpty()) {
      findings.error(
          "file.storage-missing",
          "each storage that the pickle names",
          "storage "
              + Findings.shortened(missing.get(0).key())
              + (missing.size() > 1 ? " and " + (missing.size() - 1) + " more are" : " is")
              + " not in the list",
          "torch.load gives its tensors whatever stands in memory");
    }
  }
}
