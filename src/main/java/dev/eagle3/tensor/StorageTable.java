package dev.eagle3.tensor;

import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.Node.Persistent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The storages that a pickle refers to, by key, in the order in which it first names them. */
final class StorageTable {
  private final Map<Persistent, StorageReference> byReference = new HashMap<>();
  private final Map<String, StorageReference> byKey = new LinkedHashMap<>();
  private final Cases conflicts = new Cases();
  private final Cases unnamed = new Cases();

  StorageTable(List<Persistent> persistents) {
    for (Persistent persistent : persistents) {
      StorageReference storage = StorageReference.of(persistent);
      if (storage == null) {
        unnamed.add("a reference that names no storage");
        continue;
      }
      byReference.put(persistent, storage);
      StorageReference first = byKey.putIfAbsent(storage.key(), storage);
      if (first != null && first.declaredBytes() != storage.declaredBytes()) {
        conflicts.add(
            "storage "
                + Findings.shortened(storage.key())
                + ": "
                + Findings.grouped(first.declaredBytes())
                + " bytes in one place, "
                + Findings.grouped(storage.declaredBytes())
                + " in another");
      }
    }
  }

  Map<Persistent, StorageReference> byReference() {
    return byReference;
  }

  List<StorageReference> inOrder() {
    return new ArrayList<>(byKey.values());
  }

  /** In the order of their keys as text, as legacy files have them. */
  List<StorageReference> sorted() {
    List<StorageReference> sorted = inOrder();
    sorted.sort(Comparator.comparing(StorageReference::key));
    return sorted;
  }

  @Nullable StorageReference named(String key) {
    return byKey.get(key);
  }

  boolean has(String key) {
    return byKey.containsKey(key);
  }

  void report(Findings findings) {
    findings.gather(
        Severity.ERROR,
        "file.storage-conflict",
        "one size for each storage",
        "storages have two sizes",
        conflicts);
    findings.gather(
        Severity.ERROR,
        "file.pickle-invalid",
        "references to storages",
        "references name no storage",
        unnamed);
  }
}
