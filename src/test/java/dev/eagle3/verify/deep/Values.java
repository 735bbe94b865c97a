package dev.eagle3.verify.deep;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers as bytes of a dtype, as torch saves them. */
final class Values {
  private Values() {}

  /** The bytes; numbers that the dtype cannot hold are cut, not rounded. */
  static byte[] of(String dtype, float... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float number : numbers) {
      switch (dtype) {
        case "bfloat16" -> bytes.putShort((short) (Float.floatToRawIntBits(number) >>> 16));
        case "float16" -> bytes.putShort(half(number));
        case "float32" -> bytes.putFloat(number);
        case "float64" -> bytes.putDouble(number);
        default -> throw new IllegalArgumentException(dtype);
      }
    }
    byte[] all = new byte[bytes.flip().remaining()];
    bytes.get(all);
    return all;
  }

  private static short half(float number) {
    int bits = Float.floatToRawIntBits(number);
    int sign = (bits >>> 16) & 0x8000;
    int exponent = ((bits >>> 23) & 0xFF) - 127 + 15;
    int mantissa = (bits >>> 13) & 0x3FF;
    if (Float.isNaN(number)) {
      return (short) (sign | 0x7E00);
    }
    if (exponent >= 31) {
      return (short) (sign | 0x7C00);
    }
    return (short) (exponent <= 0 ? sign : sign | (exponent << 10) | mantissa);
  }
}
