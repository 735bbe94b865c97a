package dev.eagle3.tensor;

/**
 * What one file may cost its reader. A file that wants more is reported, not read: no length from a
 * file is allocated before it is held against these and against the file's own size.
 *
 * @param headerBytes of a pickle or a safetensors header
 * @param inflatedBytes of a compressed pickle, which torch never writes
 * @param directoryBytes of a ZIP directory
 * @param treeBytes what the tree of a header may take in memory, as counted by its reader
 * @param entries ZIP entries, tensors, and steps from one object to the next
 * @param depth containers within containers
 * @param textBytes one string
 * @param integerBytes one integer of any length
 * @param rank dimensions of a tensor
 * @param pathCharacters the path of a tensor, or one name in it
 */
record ReadLimits(
    int headerBytes,
    int inflatedBytes,
    int directoryBytes,
    long treeBytes,
    int entries,
    int depth,
    int textBytes,
    int integerBytes,
    int rank,
    int pathCharacters) {

  private static final int MIB = 1 << 20;

  /**
   * The limits for a heap of this size. The largest header ever met (100,000 tensors) has 11 MB.
   */
  static ReadLimits forHeap(long heapBytes) {
    long share = Math.max(MIB, heapBytes / 16);
    return new ReadLimits(
        (int) Math.min(256 * MIB, share),
        (int) Math.min(16 * MIB, share),
        (int) Math.min(512 * MIB, share / 2),
        Math.max(16 * MIB, heapBytes / 4),
        2_000_000,
        1_000,
        16 * MIB,
        64,
        64,
        4_096);
  }
}
