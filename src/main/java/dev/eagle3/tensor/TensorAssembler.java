package dev.eagle3.tensor;

import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the tensors of a pickle and the storages of the file together, and holds each against the
 * other: is each storage there, of the declared size, and large enough for its tensors?
 */
final class TensorAssembler {
  /** What is wasted in a smaller storage does not matter. */
  private static final int TELLING_BYTES = 64 * 1024;

  private final StorageTable storages;
  private final Map<String, Stored> stored;
  private final Map<String, List<Span>> spans = new HashMap<>();

  /** What the file holds of a storage; offset and checksum are -1 where unknown. */
  record Stored(long fileOffset, long bytes, long crc) {}

  /** Bytes of a storage that a tensor reaches over. */
  private record Span(long from, long to) {}

  /**
   * @param stored by key; a storage that is not there has no entry
   */
  TensorAssembler(StorageTable storages, Map<String, Stored> stored) {
    this.storages = storages;
    this.stored = stored;
  }

  List<TensorEntry> assemble(List<TensorWalker.Found> found, Findings findings) {
    Cases outside = new Cases();
    for (TensorWalker.Found each : found) {
      place(each.path(), each.tensor(), outside);
      for (RebuiltTensor.Part part : each.tensor().parts()) {
        place(under(each.path(), part), part.tensor(), outside);
      }
    }
    findings.gather(
        Severity.ERROR,
        "file.tensor-bounds",
        "tensors within their storages",
        "tensors reach over the end of their storages",
        outside);
    Map<String, StorageExtent> extents = new LinkedHashMap<>();
    for (StorageReference storage : storages.inOrder()) {
      extents.put(storage.key(), extent(storage));
    }
    checkShares(extents, findings);
    return found.stream()
        .filter(each -> !each.isInside())
        .map(each -> entry(each.path(), each.key(), each.tensor(), extents))
        .toList();
  }

  /** Whether a tensor lies within its storage, and what it covers of it. */
  private void place(String path, RebuiltTensor tensor, Cases outside) {
    StorageReference storage = tensor.storage();
    if (storage == null) {
      return;
    }
    long room = storage.elementsOf(tensor.dtype());
    if (room >= 0 && tensor.room() > 0 && tensor.offset() + tensor.room() > room) {
      outside.add(
          Findings.place(path)
              + " ends at element "
              + Findings.grouped(tensor.offset() + tensor.room())
              + " of its storage, which has "
              + Findings.grouped(room));
    } else {
      cover(storage, tensor);
    }
  }

  /** Adds storages that hold much more than their tensors use: a part was saved, not copied. */
  private void checkShares(Map<String, StorageExtent> extents, Findings findings) {
    Cases wasted = new Cases();
    for (StorageExtent extent : extents.values()) {
      if (extent.storedBytes() >= TELLING_BYTES
          && extent.usedBytes() > 0
          && extent.usedBytes() < extent.storedBytes() / 2) {
        wasted.add(
            "storage %s has %s bytes, its tensors use %s"
                .formatted(
                    Findings.shortened(extent.key()),
                    Findings.grouped(extent.storedBytes()),
                    Findings.grouped(extent.usedBytes())));
      }
    }
    findings.gather(
        Severity.WARNING,
        "file.storage-share",
        "storages that their tensors use",
        "storages hold more than twice what their tensors use",
        wasted);
  }

  /** Adds what is wrong with storages of a whole file. */
  void checkSizes(Findings findings) {
    Cases missing = new Cases();
    Cases wrong = new Cases();
    Cases unknown = new Cases();
    for (StorageReference storage : storages.inOrder()) {
      String name = "storage " + Findings.shortened(storage.key());
      Stored there = stored.get(storage.key());
      long declared = storage.declaredBytes();
      if (there == null) {
        if (!storage.location().equals("meta")) {
          missing.add(name + " is not in the file");
        }
      } else if (storage.dtype() != null && storage.dtype().bits() == 0) {
        unknown.add(name + " has elements of " + Findings.shortened(storage.dtype().word()));
      } else if (declared != there.bytes()) {
        wrong.add(
            name
                + " has "
                + Findings.grouped(there.bytes())
                + " bytes, its tensors need "
                + (declared < 0 ? "more than there can be" : Findings.grouped(declared)));
      }
    }
    findings.gather(
        Severity.ERROR,
        "file.storage-missing",
        "each storage that the pickle names",
        "storages are not in the file",
        missing);
    findings.gather(
        Severity.ERROR,
        "file.storage-size",
        "storages of the size that the pickle says",
        "storages have another size than the pickle says",
        wrong);
    findings.gather(
        Severity.WARNING,
        "file.dtype-unknown",
        "elements of a known size",
        "storages have elements of unknown size, so their sizes were not checked",
        unknown);
  }

  private void cover(StorageReference storage, RebuiltTensor tensor) {
    int bits = tensor.dtype().bits();
    if (bits >= 8 && tensor.room() > 0 && storage.declaredBytes() >= 0) {
      long element = bits / 8;
      long from = tensor.offset() + (storage.view() == null ? 0 : storage.view().offset());
      spans
          .computeIfAbsent(storage.key(), key -> new ArrayList<>(1))
          .add(new Span(from * element, (from + tensor.room()) * element));
    }
  }

  private StorageExtent extent(StorageReference storage) {
    @Nullable Stored there = stored.get(storage.key());
    return new StorageExtent(
        storage.key(),
        storage.declaredBytes(),
        there == null ? -1 : there.fileOffset(),
        there == null ? -1 : there.bytes(),
        union(spans.getOrDefault(storage.key(), List.of())),
        there == null ? -1 : there.crc());
  }

  private static long union(List<Span> spans) {
    List<Span> sorted = new ArrayList<>(spans);
    sorted.sort(Comparator.comparingLong(Span::from));
    long covered = 0;
    long end = 0;
    for (Span span : sorted) {
      covered += Math.max(0, span.to() - Math.max(end, span.from()));
      end = Math.max(end, span.to());
    }
    return covered;
  }

  private static @Nullable StorageExtent extentOf(
      StorageReference storage, Map<String, StorageExtent> extents) {
    StorageExtent whole = extents.get(storage.key());
    if (whole == null || storage.view() == null || storage.dtype() == null) {
      return whole;
    }
    long from = storage.dtype().bytes(storage.view().offset());
    long bytes = storage.dtype().bytes(storage.view().elements());
    return from < 0 || bytes < 0 ? whole : whole.part(from, bytes);
  }

  private static String under(String path, RebuiltTensor.Part part) {
    return path.isEmpty() ? part.name() : path + "." + part.name();
  }

  private static TensorEntry entry(
      String path, String key, RebuiltTensor tensor, Map<String, StorageExtent> extents) {
    StorageReference storage = tensor.storage();
    return new TensorEntry(
        path,
        key,
        tensor.dtype().word(),
        tensor.shape(),
        tensor.stride(),
        tensor.offset(),
        storage == null ? null : extentOf(storage, extents),
        tensor.layout(),
        tensor.parts().stream()
            .map(part -> entry(under(path, part), key, part.tensor(), extents))
            .toList());
  }
}
