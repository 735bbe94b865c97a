package dev.eagle3.verify.deep;

import java.nio.ByteBuffer;

/**
 * Adds up the values of a layer, row by row, and says of the last row what is striking in it. One
 * core keeps up with a disk: what is asked of a row comes from the loops that add it up, and from
 * nothing else. For one thread.
 */
abstract class Tally {
  private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

  /** The tally that suits the dtype. */
  static Tally of(Element element) {
    return element.bytes() <= 2 ? new CountedTally(element) : new SummedTally(element);
  }

  /** Adds a row of {@code length} bytes, whole elements, that begins at {@code at}. */
  abstract void add(ByteBuffer bytes, int at, int length);

  /** A hash of all bits of the last row. */
  abstract long hash();

  /** Whether the last row held zeros alone, of either sign. */
  abstract boolean isZero();

  /** Whether the last row held one number all along, bit by bit, or one NaN. */
  abstract boolean isConstant();

  /** Whether rows since the last call of this held NaN or infinities. */
  abstract boolean tookNonFinite();

  /** All rows so far. */
  abstract Totals totals();

  /** The hash that a row begins with. */
  static long seed() {
    return ODD;
  }

  /** Takes eight bytes into a hash. The turn keeps changes of high bits from falling out. */
  static long mixed(long hash, long bits) {
    return Long.rotateLeft(hash ^ bits, 27) * ODD;
  }

  /** Takes two hashes of halves into one; no change of either falls out. */
  static long joined(long one, long other) {
    long hash = mixed(one, other);
    return hash ^ (hash >>> 29);
  }

  /**
   * What all elements of a layer come to.
   *
   * @param elements how many
   * @param nan how many are no number
   * @param inf how many are infinite
   * @param zero how many are 0 or −0
   * @param squares the sum of the squares of the finite ones
   * @param largest the largest magnitude of the finite ones
   */
  record Totals(long elements, long nan, long inf, long zero, double squares, double largest) {
    /** None yet. */
    static final Totals NOTHING = new Totals(0, 0, 0, 0, 0, 0);

    /** So many of one value. */
    static Totals of(double value, long count) {
      if (Double.isNaN(value)) {
        return new Totals(count, count, 0, 0, 0, 0);
      }
      if (Double.isInfinite(value)) {
        return new Totals(count, 0, count, 0, 0, 0);
      }
      long zero = value == 0 ? count : 0;
      return new Totals(count, 0, 0, zero, count * value * value, Math.abs(value));
    }

    /** The root of the mean square of the finite ones. */
    double rms() {
      long finite = elements - nan - inf;
      return finite == 0 ? 0 : Math.sqrt(squares / finite);
    }

    /** Both together. */
    Totals plus(Totals other) {
      return new Totals(
          elements + other.elements,
          nan + other.nan,
          inf + other.inf,
          zero + other.zero,
          squares + other.squares,
          Math.max(largest, other.largest));
    }
  }
}
