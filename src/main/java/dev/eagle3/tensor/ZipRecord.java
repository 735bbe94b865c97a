package dev.eagle3.tensor;

/**
 * One entry of a ZIP directory, as the directory has it: torch too believes the directory alone.
 *
 * @param place its number in the directory, from 0
 * @param name with its folder
 * @param nameBytes how many bytes the name has in the file
 * @param crc CRC-32 of the content; 0 when none was recorded, which torch can be told to do
 * @param packedBytes how many bytes the entry takes in the file
 * @param bytes how many bytes its content has
 * @param headerOffset where its local header stands
 */
record ZipRecord(
    int place,
    String name,
    int nameBytes,
    int flags,
    int method,
    long crc,
    long packedBytes,
    long bytes,
    long headerOffset) {

  static final int STORED = 0;
  static final int DEFLATED = 8;
  static final int LOCAL_HEADER_BYTES = 30;

  /** The name, cut to a length that a message can hold. */
  String shortName() {
    return Findings.shortened(name);
  }

  boolean isStored() {
    return method == STORED;
  }

  boolean isEncrypted() {
    return (flags & 1) != 0;
  }

  /** Whether sizes and checksum stand after the content too. */
  boolean hasDescriptor() {
    return (flags & 8) != 0;
  }

  /** The least offset at which it can end: the local header may be longer. */
  long earliestEnd() {
    return headerOffset + LOCAL_HEADER_BYTES + nameBytes + packedBytes;
  }
}
