package dev.eagle3.tensor;

import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Objects;

/**
 * A part of an array, read in little-endian order. Offsets are relative to the part; one outside it
 * is a bug of the caller, who checks lengths first.
 */
final class Slice {
  private final byte[] array;
  private final int start;
  private final int length;

  Slice(byte[] array, int start, int length) {
    Objects.checkFromIndexSize(start, length, array.length);
    this.array = array;
    this.start = start;
    this.length = length;
  }

  /** The whole array, this part and others; not to be changed. */
  byte[] array() {
    return array;
  }

  /** Where in the array this part starts. */
  int start() {
    return start;
  }

  int length() {
    return length;
  }

  static Slice of(byte[] array) {
    return new Slice(array, 0, array.length);
  }

  Slice part(int offset, int partLength) {
    Objects.checkFromIndexSize(offset, partLength, length);
    return new Slice(array, start + offset, partLength);
  }

  int u8(int offset) {
    return byteAt(at(offset, 1));
  }

  int u16(int offset) {
    int at = at(offset, 2);
    return byteAt(at) | byteAt(at + 1) << 8;
  }

  long u32(int offset) {
    return i32(at(offset, 4)) & 0xffff_ffffL;
  }

  /** 64 bits; more than {@link Long#MAX_VALUE} comes out negative. */
  long i64(int offset) {
    int at = at(offset, 8);
    return (i32(at) & 0xffff_ffffL) | (long) i32(at + 4) << 32;
  }

  String text(int offset, int textLength, Charset charset) {
    Objects.checkFromIndexSize(offset, textLength, length);
    return new String(array, start + offset, textLength, charset);
  }

  /** A copy. */
  byte[] bytes() {
    return Arrays.copyOfRange(array, start, start + length);
  }

  boolean startsWith(byte... prefix) {
    return has(0, prefix);
  }

  /** Whether these very bytes stand at the offset; false where they do not fit. */
  boolean has(int offset, byte... wanted) {
    if (offset < 0 || offset > length - wanted.length) {
      return false;
    }
    for (int index = 0; index < wanted.length; index++) {
      if (array[start + offset + index] != wanted[index]) {
        return false;
      }
    }
    return true;
  }

  /** How many of the last bytes are zero. */
  int zerosAtEnd() {
    int zeros = 0;
    while (zeros < length && array[start + length - 1 - zeros] == 0) {
      zeros++;
    }
    return zeros;
  }

  /** Where in the array so many bytes stand. */
  private int at(int offset, int bytes) {
    if (offset < 0 || offset > length - bytes) {
      throw new IndexOutOfBoundsException(offset + "+" + bytes + " of " + length);
    }
    return start + offset;
  }

  private int byteAt(int at) {
    return array[at] & 0xff;
  }

  private int i32(int at) {
    return byteAt(at) | byteAt(at + 1) << 8 | byteAt(at + 2) << 16 | byteAt(at + 3) << 24;
  }
}
