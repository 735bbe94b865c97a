package dev.eagle3.files;

/**
 * A range of bytes of a file.
 *
 * @param offset first byte, from 0
 * @param length how many bytes
 */
public record ByteRange(long offset, int length) {
  /** Refuses negative values and ranges that end beyond {@link Long#MAX_VALUE}. */
  public ByteRange {
    if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("byte range " + offset + "+" + length);
    }
  }
}
