package dev.eagle3.tensor;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Where things stand in a legacy file of torch, as far as that follows from its storages. */
final class LegacyLayout {
  /** Python's pickler writes items of a list in batches of this many. */
  private static final int BATCH = 1000;

  private static final int SHORT_MEMO = 256;

  private LegacyLayout() {}

  /** Where the last storage ends; -1 when one has no known size, or the sum no end. */
  static long end(long start, List<StorageReference> storages) {
    long end = start;
    for (StorageReference storage : storages) {
      long bytes = storage.declaredBytes();
      if (bytes < 0 || end > Long.MAX_VALUE - Long.BYTES - bytes) {
        return -1;
      }
      end += Long.BYTES + bytes;
    }
    return end;
  }

  /** How long the pickle of the keys is, in protocol 2. */
  static long listBytes(List<StorageReference> storages) {
    // PROTO 2, EMPTY_LIST, BINPUT 0, STOP.
    long bytes = 2 + 1 + 2 + 1;
    int memo = 1;
    for (StorageReference storage : storages) {
      int text = storage.key().getBytes(StandardCharsets.UTF_8).length;
      bytes += 1 + 4 + text + (memo < SHORT_MEMO ? 2 : 5);
      memo++;
    }
    int rest = storages.size() % BATCH;
    // MARK and APPENDS around each batch; APPEND after a single one.
    bytes += 2L * (storages.size() / BATCH) + (rest > 1 ? 2 : rest);
    return bytes;
  }
}
