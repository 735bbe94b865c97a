package dev.eagle3.tensor;

import java.io.ByteArrayOutputStream;

/** Bytes under construction, numbers in little-endian order. */
final class LittleEndian {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  LittleEndian i16(long... values) {
    return numbers(2, values);
  }

  LittleEndian i32(long... values) {
    return numbers(4, values);
  }

  LittleEndian i64(long... values) {
    return numbers(8, values);
  }

  LittleEndian bytes(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  byte[] toBytes() {
    return out.toByteArray();
  }

  private LittleEndian numbers(int bytes, long... values) {
    for (long value : values) {
      for (int index = 0; index < bytes; index++) {
        out.write((int) (value >> (8 * index)));
      }
    }
    return this;
  }
}
