package dev.eagle3.verify.deep;

import java.nio.ByteBuffer;

/**
 * Adds up the values of a dtype of 32 or 64 bits.
 *
 * <p>Whether all of a row are finite is told by their exponents: {@code (bits & exponent) + carry}
 * reaches the place of the sign exactly when all bits of the exponent are set. Lanes do not disturb
 * each other, so that a long holds as many elements as fit. Rows that are finite, which are nearly
 * all, are then added up without a branch, in several sums that do not wait for each other.
 */
final class SummedTally extends Tally {
  private static final int MAGNITUDE = Integer.MAX_VALUE;

  private final Element element;
  private final long exponents;
  private final long carries;
  private final long signs;
  private Totals totals = Totals.NOTHING;
  private long hash;
  private boolean isZero;
  private boolean isConstant;
  private boolean isFinite;
  private boolean tookNonFinite;

  SummedTally(Element element) {
    boolean isShort = element.bytes() == 4;
    this.element = element;
    this.exponents = isShort ? 0x7F80_0000_7F80_0000L : 0x7FF0_0000_0000_0000L;
    this.carries = isShort ? 0x0080_0000_0080_0000L : 0x0010_0000_0000_0000L;
    this.signs = isShort ? 0x8000_0000_8000_0000L : 0x8000_0000_0000_0000L;
  }

  @Override
  void add(ByteBuffer bytes, int at, int length) {
    hash = seed();
    isZero = false;
    isConstant = false;
    isFinite = true;
    if (length == 0) {
      return;
    }
    look(bytes, at, at + length);
    if (!isFinite) {
      tookNonFinite = true;
      addOneByOne(bytes, at, at + length);
    } else if (element.bytes() == 4) {
      addFloats(bytes, at, at + length);
    } else {
      addDoubles(bytes, at, at + length);
    }
  }

  private void look(ByteBuffer bytes, int at, int end) {
    long first =
        element.bytes() == 8
            ? (long) Element.LONGS.get(bytes, at)
            : ((int) Element.INTS.get(bytes, at) & 0xFFFF_FFFFL)
                | (long) (int) Element.INTS.get(bytes, at) << 32;
    long one = seed();
    long other = seed();
    long or = 0;
    long differences = 0;
    long carried = 0;
    int index = at;
    for (; index <= end - 16; index += 16) {
      long bits = (long) Element.LONGS.get(bytes, index);
      one = mixed(one, bits);
      or |= bits;
      differences |= bits ^ first;
      carried |= (bits & exponents) + carries;
      bits = (long) Element.LONGS.get(bytes, index + 8);
      other = mixed(other, bits);
      or |= bits;
      differences |= bits ^ first;
      carried |= (bits & exponents) + carries;
    }
    for (; index < end; index += element.bytes()) {
      long bits =
          element.bytes() == 8
              ? (long) Element.LONGS.get(bytes, index)
              : (int) Element.INTS.get(bytes, index) & 0xFFFF_FFFFL;
      one = mixed(one, bits);
      or |= bits;
      differences |= element.bytes() == 8 ? bits ^ first : (int) bits ^ (int) first;
      carried |= (bits & exponents) + carries;
    }
    hash = joined(one, other);
    isZero = (or & ~signs) == 0;
    isConstant = differences == 0;
    isFinite = (carried & signs) == 0;
  }

  /** Magnitudes of finite numbers are in the order of their bits. */
  private void addFloats(ByteBuffer bytes, int at, int end) {
    double even = 0;
    double odd = 0;
    int largest = 0;
    int zeros = 0;
    int index = at;
    for (; index <= end - 8; index += 8) {
      long bits = (long) Element.LONGS.get(bytes, index);
      int one = (int) bits & MAGNITUDE;
      int other = (int) (bits >>> 32) & MAGNITUDE;
      double low = Float.intBitsToFloat(one);
      double high = Float.intBitsToFloat(other);
      even += low * low;
      odd += high * high;
      largest = Math.max(largest, Math.max(one, other));
      zeros += ((one - 1) >>> 31) + ((other - 1) >>> 31);
    }
    if (index < end) {
      int last = (int) Element.INTS.get(bytes, index) & MAGNITUDE;
      double value = Float.intBitsToFloat(last);
      even += value * value;
      largest = Math.max(largest, last);
      zeros += (last - 1) >>> 31;
    }
    add((end - at) / 4, zeros, even + odd, Float.intBitsToFloat(largest));
  }

  private void addDoubles(ByteBuffer bytes, int at, int end) {
    double even = 0;
    double odd = 0;
    long largest = 0;
    long zeros = 0;
    int index = at;
    for (; index <= end - 16; index += 16) {
      long one = (long) Element.LONGS.get(bytes, index) & Long.MAX_VALUE;
      long other = (long) Element.LONGS.get(bytes, index + 8) & Long.MAX_VALUE;
      double low = Double.longBitsToDouble(one);
      double high = Double.longBitsToDouble(other);
      even += low * low;
      odd += high * high;
      largest = Math.max(largest, Math.max(one, other));
      zeros += ((one - 1) >>> 63) + ((other - 1) >>> 63);
    }
    if (index < end) {
      long last = (long) Element.LONGS.get(bytes, index) & Long.MAX_VALUE;
      double value = Double.longBitsToDouble(last);
      even += value * value;
      largest = Math.max(largest, last);
      zeros += (last - 1) >>> 63;
    }
    add((end - at) / 8, zeros, even + odd, Double.longBitsToDouble(largest));
  }

  private void add(long elements, long zeros, double squares, double largest) {
    totals = totals.plus(new Totals(elements, 0, 0, zeros, squares, largest));
  }

  private void addOneByOne(ByteBuffer bytes, int at, int end) {
    for (int index = at; index < end; index += element.bytes()) {
      totals = totals.plus(Totals.of(element.value(bytes, index), 1));
    }
  }

  @Override
  long hash() {
    return hash;
  }

  @Override
  boolean isZero() {
    return isZero;
  }

  @Override
  boolean isConstant() {
    return isConstant;
  }

  @Override
  boolean tookNonFinite() {
    boolean took = tookNonFinite;
    tookNonFinite = false;
    return took;
  }

  @Override
  Totals totals() {
    return totals;
  }
}
