package dev.eagle3.verify.deep;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How the elements of a dtype lie in a storage, little-endian, and what they are as numbers.
 *
 * <p>Whether a value is finite is told by its exponent: {@code (bits & exponent) + carry} reaches
 * the top bit exactly when all bits of the exponent are set. Lanes do not disturb each other, so
 * that a long holds as many elements as fit.
 */
enum Element {
  BFLOAT16("bfloat16", 2, 0x7F80, 0x0080) {
    @Override
    double value(byte[] bytes, int at) {
      return Float.intBitsToFloat(u16(bytes, at) << 16);
    }
  },
  FLOAT16("float16", 2, 0x7C00, 0x0400) {
    @Override
    double value(byte[] bytes, int at) {
      return small(u16(bytes, at), 16, 5, 15, true);
    }
  },
  FLOAT32("float32", 4, 0x7F80_0000L, 0x0080_0000L) {
    @Override
    double value(byte[] bytes, int at) {
      return Float.intBitsToFloat((int) INTS.get(bytes, at));
    }
  },
  FLOAT64("float64", 8, 0x7FF0_0000_0000_0000L, 0x0010_0000_0000_0000L) {
    @Override
    double value(byte[] bytes, int at) {
      return Double.longBitsToDouble((long) LONGS.get(bytes, at));
    }
  },
  /** No infinities; all bits but the sign set is the one NaN of each sign. */
  FLOAT8_E4M3FN("float8_e4m3fn", 1, 0x7F, 0x01) {
    @Override
    double value(byte[] bytes, int at) {
      int bits = bytes[at] & 0xFF;
      return (bits & 0x7F) == 0x7F ? Double.NaN : small(bits, 8, 4, 7, false);
    }
  },
  FLOAT8_E5M2("float8_e5m2", 1, 0x7C, 0x04) {
    @Override
    double value(byte[] bytes, int at) {
      return small(bytes[at] & 0xFF, 8, 5, 15, true);
    }
  };

  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final Map<String, Element> BY_WORD = new HashMap<>();

  static {
    for (Element each : values()) {
      BY_WORD.put(each.word, each);
    }
  }

  private final String word;
  private final int bytes;
  private final long exponents;
  private final long carries;
  private final long signs;

  Element(String word, int bytes, long exponent, long carry) {
    this.word = word;
    this.bytes = bytes;
    this.exponents = repeated(exponent, bytes);
    this.carries = repeated(carry, bytes);
    this.signs = repeated(1L << (8 * bytes - 1), bytes);
  }

  /** By torch's word; empty for dtypes whose values are not looked at. */
  static Optional<Element> of(String dtype) {
    return Optional.ofNullable(BY_WORD.get(dtype));
  }

  /** Bytes of one element. */
  int bytes() {
    return bytes;
  }

  /** The element whose first byte is {@code at}, exactly. */
  abstract double value(byte[] bytes, int at);

  /** The exponents of all elements in a long. */
  long exponents() {
    return exponents;
  }

  /** What carries a full exponent into the sign's place, for all elements in a long. */
  long carries() {
    return carries;
  }

  /** The top bits of all elements in a long. */
  long signs() {
    return signs;
  }

  /** One element, in every lane of a long. */
  long repeated(byte[] array, int at) {
    long bits = 0;
    for (int index = bytes - 1; index >= 0; index--) {
      bits = (bits << 8) | (array[at + index] & 0xFF);
    }
    return repeated(bits, bytes);
  }

  static int u16(byte[] bytes, int at) {
    return (short) SHORTS.get(bytes, at) & 0xFFFF;
  }

  private static long repeated(long bits, int bytes) {
    long all = 0;
    for (int lane = 0; lane < 8; lane += bytes) {
      all |= bits << (8 * lane);
    }
    return all;
  }

  /**
   * A number of few bits: sign, exponent, mantissa.
   *
   * @param isIeee whether the largest exponent means infinity and NaN
   */
  private static double small(int bits, int width, int exponentBits, int bias, boolean isIeee) {
    int mantissaBits = width - 1 - exponentBits;
    int mantissa = bits & ((1 << mantissaBits) - 1);
    int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
    double sign = bits >> (width - 1) == 0 ? 1 : -1;
    if (isIeee && exponent == (1 << exponentBits) - 1) {
      return mantissa == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
    }
    return exponent == 0
        ? sign * Math.scalb((double) mantissa, 1 - bias - mantissaBits)
        : sign
            * Math.scalb((double) (mantissa | (1 << mantissaBits)), exponent - bias - mantissaBits);
  }
}
