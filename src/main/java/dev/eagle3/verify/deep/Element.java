package dev.eagle3.verify.deep;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the elements of a dtype lie in a storage, little-endian, and what they are as numbers. Those
 * of 8 bits are as the OCP's and as Graphcore's papers have them; torch/headeronly/util says the
 * same.
 */
enum Element {
  BFLOAT16("bfloat16", 2) {
    @Override
    double value(long bits) {
      return Float.intBitsToFloat((int) bits << 16);
    }
  },
  FLOAT16("float16", 2) {
    @Override
    double value(long bits) {
      int exponent = (int) (bits >> 10) & 0x1F;
      if (exponent == 0x1F) {
        return (bits & 0x3FF) != 0 ? Double.NaN : infinity((bits & 0x8000) != 0);
      }
      return small((int) bits, 16, 5, 15);
    }
  },
  FLOAT32("float32", 4) {
    @Override
    double value(long bits) {
      return Float.intBitsToFloat((int) bits);
    }
  },
  FLOAT64("float64", 8) {
    @Override
    double value(long bits) {
      return Double.longBitsToDouble(bits);
    }
  },
  /** No infinities; all bits but the sign set is the one NaN of each sign. */
  FLOAT8_E4M3FN("float8_e4m3fn", 1) {
    @Override
    double value(long bits) {
      return (bits & 0x7F) == 0x7F ? Double.NaN : small((int) bits, 8, 4, 7);
    }
  },
  FLOAT8_E5M2("float8_e5m2", 1) {
    @Override
    double value(long bits) {
      return FLOAT16.value(bits << 8);
    }
  },
  /** No infinities and no −0, in whose place is the one NaN. */
  FLOAT8_E4M3FNUZ("float8_e4m3fnuz", 1) {
    @Override
    double value(long bits) {
      return bits == 0x80 ? Double.NaN : small((int) bits, 8, 4, 8);
    }
  },
  /** No infinities and no −0, in whose place is the one NaN. */
  FLOAT8_E5M2FNUZ("float8_e5m2fnuz", 1) {
    @Override
    double value(long bits) {
      return bits == 0x80 ? Double.NaN : small((int) bits, 8, 5, 16);
    }
  },
  /** Powers of two from 2^−127 on, neither signs nor 0. */
  FLOAT8_E8M0FNU("float8_e8m0fnu", 1) {
    @Override
    double value(long bits) {
      return bits == 0xFF ? Double.NaN : Math.scalb(1.0, (int) bits - 127);
    }
  };

  /**
   * Eight bytes of a direct buffer, by one instruction. The buffers are direct so that nothing is
   * copied on the way from the kernel.
   */
  static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Four bytes. */
  static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Two bytes. */
  static final VarHandle CHARS =
      MethodHandles.byteBufferViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);

  private static final Map<String, Element> BY_WORD = new HashMap<>();

  static {
    loadForInlining();
    for (Element each : values()) {
      BY_WORD.put(each.word, each);
    }
  }

  private final String word;
  private final int bytes;

  Element(String word, int bytes) {
    this.word = word;
    this.bytes = bytes;
  }

  /** By torch's word; empty for dtypes whose values are not looked at. */
  static Optional<Element> of(String dtype) {
    return Optional.ofNullable(BY_WORD.get(dtype));
  }

  /** Bytes of one element. */
  int bytes() {
    return bytes;
  }

  /** The element of these bits, exactly; higher bits are 0. */
  abstract double value(long bits);

  /**
   * Loads a class that the JDK names in the signatures by which buffers are read, and itself needs
   * for mapped memory alone. As long as it is not loaded, the second compiler makes a call of each
   * read, which takes ten times as long. Where neither name is known, nothing is lost but time.
   */
  private static void loadForInlining() {
    for (String name :
        List.of(
            "jdk.internal.misc.ScopedMemoryAccess$Scope", // 17
            "jdk.internal.foreign.MemorySessionImpl")) { // 19 and later
      try {
        Class.forName(name);
      } catch (ClassNotFoundException | LinkageError absent) {
        // The other one, or none: see above.
      }
    }
  }

  /** The element whose first byte is {@code at}, exactly. */
  final double value(byte[] array, int at) {
    return value(ByteBuffer.wrap(array), at);
  }

  /** The same of a buffer. */
  final double value(ByteBuffer buffer, int at) {
    return value(
        switch (bytes) {
          case 1 -> buffer.get(at) & 0xFF;
          case 2 -> (char) CHARS.get(buffer, at);
          case 4 -> (int) INTS.get(buffer, at) & 0xFFFF_FFFFL;
          default -> (long) LONGS.get(buffer, at);
        });
  }

  private static double infinity(boolean isNegative) {
    return isNegative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
  }

  /** A finite number of few bits: sign, exponent, mantissa. */
  private static double small(int bits, int width, int exponentBits, int bias) {
    int mantissaBits = width - 1 - exponentBits;
    int mantissa = bits & ((1 << mantissaBits) - 1);
    int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
    double sign = bits >> (width - 1) == 0 ? 1 : -1;
    return exponent == 0
        ? sign * Math.scalb((double) mantissa, 1 - bias - mantissaBits)
        : sign
            * Math.scalb((double) (mantissa | (1 << mantissaBits)), exponent - bias - mantissaBits);
  }
}
