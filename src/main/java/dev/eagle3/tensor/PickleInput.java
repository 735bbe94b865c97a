package dev.eagle3.tensor;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** The bytes of a pickle, read once from front to back. */
final class PickleInput {
  /** Python writes 24 at the most. */
  private static final int MOST_REAL_CHARACTERS = 64;

  private final Slice bytes;
  private final ReadLimits limits;
  private int position;

  PickleInput(Slice bytes, ReadLimits limits) {
    this.bytes = bytes;
    this.limits = limits;
  }

  /** Offset of the next byte. */
  int position() {
    return position;
  }

  int remaining() {
    return bytes.length() - position;
  }

  int u8() throws PickleFault {
    return bytes.u8(advance(1));
  }

  int u16() throws PickleFault {
    return bytes.u16(advance(2));
  }

  int i32() throws PickleFault {
    return (int) bytes.u32(advance(4));
  }

  long u32() throws PickleFault {
    return bytes.u32(advance(4));
  }

  /** 64 bits; more than {@link Long#MAX_VALUE} comes out negative. */
  long i64() throws PickleFault {
    return bytes.i64(advance(8));
  }

  /** The one number that pickles keep in big-endian order. */
  double float64() throws PickleFault {
    return Double.longBitsToDouble(Long.reverseBytes(i64()));
  }

  String utf8(long length) throws PickleFault {
    // A lone surrogate, which Python writes and UTF-8 forbids, becomes a replacement character.
    int at = take(length, limits.textBytes());
    return bytes.text(at, (int) length, StandardCharsets.UTF_8);
  }

  /** Text of Python 2, one byte a character. */
  String latin1(long length) throws PickleFault {
    int at = take(length, limits.textBytes());
    return bytes.text(at, (int) length, StandardCharsets.ISO_8859_1);
  }

  Node.Blob blob(long length) throws PickleFault {
    // Nothing is copied, so bytes that are there may be as long as they like.
    int at = take(length, Integer.MAX_VALUE);
    return new Node.Blob(at, (int) length);
  }

  /** An integer in two's complement, as {@code LONG1} and {@code LONG4} have it. */
  Node integer(long length) throws PickleFault {
    if (length < 0 || length > limits.integerBytes()) {
      throw PickleFault.limit("an integer of " + length + " bytes");
    }
    int at = advance((int) length);
    if (length <= Long.BYTES) {
      long value = 0;
      for (int index = (int) length - 1; index >= 0; index--) {
        value = value << 8 | bytes.u8(at + index);
      }
      int unused = Long.SIZE - 8 * (int) length;
      return new Node.Whole(length == 0 ? 0 : value << unused >> unused);
    }
    byte[] bigEndian = new byte[(int) length];
    for (int index = 0; index < length; index++) {
      bigEndian[(int) length - 1 - index] = (byte) bytes.u8(at + index);
    }
    return whole(new BigInteger(bigEndian));
  }

  /** Text up to the end of the line, as the opcodes of protocol 0 have it. */
  String line() throws PickleFault {
    int end = position;
    while (end < bytes.length() && bytes.u8(end) != '\n') {
      end++;
    }
    if (end == bytes.length()) {
      throw endsEarly(1);
    }
    String line = utf8(end - (long) position);
    position++;
    return line;
  }

  /** {@code INT}: a number, or True as {@code 01} and False as {@code 00}. */
  Node integerLine() throws PickleFault {
    String line = line();
    return switch (line) {
      case "01" -> Node.Constant.TRUE;
      case "00" -> Node.Constant.FALSE;
      default -> integer(line);
    };
  }

  /** {@code LONG}: a number of any length, perhaps with the {@code L} of Python 2. */
  Node longLine() throws PickleFault {
    String line = line();
    return integer(line.endsWith("L") ? line.substring(0, line.length() - 1) : line);
  }

  /** The index of {@code PUT} and {@code GET}. */
  long indexLine() throws PickleFault {
    if (integer(line()) instanceof Node.Whole index) {
      return index.value();
    }
    throw PickleFault.invalid("no memo index");
  }

  double realLine() throws PickleFault {
    String line = line();
    if (line.length() > MOST_REAL_CHARACTERS) {
      throw PickleFault.limit("a number of " + line.length() + " digits");
    }
    try {
      return Double.parseDouble(line);
    } catch (NumberFormatException notNumber) {
      throw PickleFault.invalid("not a number: " + line);
    }
  }

  /** {@code STRING}: escapes within the quotes stay as they are written. */
  String quotedLine() throws PickleFault {
    String line = line();
    char quote = line.isEmpty() ? 0 : line.charAt(0);
    if (line.length() < 2
        || (quote != '\'' && quote != '"')
        || line.charAt(line.length() - 1) != quote) {
      throw PickleFault.invalid("a string without quotes");
    }
    return line.substring(1, line.length() - 1);
  }

  private Node integer(String digits) throws PickleFault {
    // Two and a half digits a byte: no number within the limit has more.
    if (digits.length() > limits.integerBytes() * 5 / 2) {
      throw PickleFault.limit("an integer of " + digits.length() + " digits");
    }
    try {
      return whole(new BigInteger(digits.strip()));
    } catch (NumberFormatException notDigits) {
      throw PickleFault.invalid("not a number: " + Findings.shortened(digits));
    }
  }

  /** Where bytes of this length stand that {@link #advance} would pass. */
  private int take(long length, int most) throws PickleFault {
    if (length < 0 || length > most) {
      throw PickleFault.limit("a string of " + Long.toUnsignedString(length) + " bytes");
    }
    return advance((int) length);
  }

  private int advance(int length) throws PickleFault {
    if (length > remaining()) {
      throw endsEarly(length);
    }
    int at = position;
    position += length;
    return at;
  }

  private PickleFault endsEarly(int needed) {
    return new PickleFault(
        PickleFault.Kind.ENDS_EARLY,
        "needs " + needed + " more bytes, " + remaining() + " are left");
  }

  private static Node whole(BigInteger value) {
    return value.bitLength() < Long.SIZE ? new Node.Whole(value.longValue()) : new Node.Big(value);
  }
}
