package dev.eagle3.tensor;

/**
 * A storage: the flat bytes that tensors are views of.
 *
 * @param key its name inside the file
 * @param declaredBytes how many bytes the header declares; -1 when the dtype's size is unknown
 * @param fileOffset where its bytes begin in the file; -1 when it is not there or unknown
 * @param storedBytes how many bytes the file holds for it; -1 when it is not there
 * @param usedBytes how many of its bytes at least one tensor covers
 * @param recordedCrc the CRC-32 that the file records for its bytes; -1 when it records none
 */
public record StorageExtent(
    String key,
    long declaredBytes,
    long fileOffset,
    long storedBytes,
    long usedBytes,
    long recordedCrc) {

  /** A storage without a recorded checksum. */
  public StorageExtent(
      String key, long declaredBytes, long fileOffset, long storedBytes, long usedBytes) {
    this(key, declaredBytes, fileOffset, storedBytes, usedBytes, -1);
  }

  /** A part of it, as a storage of its own. */
  StorageExtent part(long from, long bytes) {
    long there = Math.min(bytes, storedBytes - from);
    boolean isThere = storedBytes >= 0 && (there > 0 || bytes == 0);
    return new StorageExtent(
        key,
        bytes,
        isThere && fileOffset >= 0 ? fileOffset + from : -1,
        isThere ? there : -1,
        Math.min(bytes, usedBytes));
  }
}
