package dev.eagle3.verify.prepared;

/** A 64-bit hash of token ids that can be asked for after each of them. */
final class IdsHash {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private long hash = FACTOR;

  /** Takes the next id. */
  void add(long id) {
    long mixed = (hash ^ id) * FACTOR;
    hash = mixed ^ (mixed >>> 29);
  }

  /** The hash of all that were taken. */
  long value() {
    return hash;
  }

  static long of(long[] ids) {
    IdsHash hash = new IdsHash();
    for (long id : ids) {
      hash.add(id);
    }
    return hash.value();
  }
}
