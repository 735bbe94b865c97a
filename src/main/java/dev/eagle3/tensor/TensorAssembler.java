package dev.eagle3.tensor;

import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the tensors of a pickle and the storages of the file together, and holds each against the
 * other: is each storage there, of the declared size, and large enough for its tensors?
 */
final class TensorAssembler {
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
      RebuiltTensor tensor = each.tensor();
      StorageReference storage = tensor.storage();
      if (storage == null) {
        continue;
      }
      long room = storage.elementsOf(tensor.dtype());
      if (room >= 0 && tensor.extent() > 0 && tensor.offset() + tensor.extent() > room) {
        outside.add(
            Findings.place(each.path())
                + " ends at element "
                + Findings.grouped(tensor.offset() + tensor.extent())
                + " of its storage, which has "
                + Findings.grouped(room));
      } else {
        cover(storage, tensor);
      }
    }
    findings.gather(
        Severity.ERROR,
        "file.tensor-bounds",
        "tensors within their storages",
        "tensors reach over the end of their storages",
        outside);
    Map<String, StorageExtent> extents = new HashMap<>();
    for (StorageReference storage : storages.inOrder()) {
      extents.put(storage.key(), extent(storage));
    }
    return entries(found, extents);
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
    if (bits >= 8 && tensor.extent() > 0 && storage.declaredBytes() >= 0) {
      long element = bits / 8;
      spans
          .computeIfAbsent(storage.key(), key -> new ArrayList<>(1))
          .add(new Span(tensor.offset() * element, (tensor.offset() + tensor.extent()) * element));
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

  private static List<TensorEntry> entries(
      List<TensorWalker.Found> found, Map<String, StorageExtent> extents) {
    List<TensorEntry> entries = new ArrayList<>(found.size());
    for (TensorWalker.Found each : found) {
      RebuiltTensor tensor = each.tensor();
      StorageReference storage = tensor.storage();
      entries.add(
          new TensorEntry(
              each.path(),
              each.key(),
              tensor.dtype().word(),
              tensor.shape(),
              tensor.stride(),
              tensor.offset(),
              storage == null ? null : extents.get(storage.key())));
    }
    return entries;
  }
}
