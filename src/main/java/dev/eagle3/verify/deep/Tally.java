package dev.eagle3.verify.deep;

/**
 * Adds up the values of a layer, row by row, and says of the last row what is striking in it. Works
 * on eight bytes at a time, so that one core keeps up with a disk. For one thread.
 */
abstract class Tally {
  private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

  private final Element element;
  private long hash;
  private boolean isZero;
  private boolean isConstant;
  private boolean isFinite;

  Tally(Element element) {
    this.element = element;
  }

  /** The tally that suits the dtype. */
  static Tally of(Element element) {
    return element.bytes() <= 2 ? new CountedTally(element) : new SummedTally(element);
  }

  /** Adds a row of {@code length} bytes, whole elements, that begins at {@code at}. */
  final void add(byte[] bytes, int at, int length) {
    isZero = false;
    isConstant = false;
    isFinite = true;
    hash = ODD;
    if (length > 0) {
      count(bytes, at, at + length);
    }
  }

  /** Adds the elements of a row, and calls {@link #note}. */
  abstract void count(byte[] bytes, int at, int end);

  /** All rows so far. */
  abstract Totals totals();

  final Element element() {
    return element;
  }

  /**
   * What a loop over the row found.
   *
   * @param hash of all its bits
   * @param or of all its bits
   * @param differences from the first element, or of all of them
   * @param carried full exponents, in the places of the signs
   */
  final void note(long hash, long or, long differences, long carried) {
    this.hash = hash ^ (hash >>> 29);
    this.isZero = (or & ~element.signs()) == 0;
    this.isConstant = differences == 0;
    this.isFinite = (carried & element.signs()) == 0;
  }

  /** The hash that a row begins with. */
  static long seed() {
    return ODD;
  }

  /** Takes eight bytes into a hash. The turn keeps changes of high bits from falling out. */
  static long mixed(long hash, long bits) {
    return Long.rotateLeft(hash ^ bits, 27) * ODD;
  }

  /** The last bytes of a row, fewer than eight, with zeros behind them. */
  static long rest(byte[] bytes, int at, int end) {
    long rest = 0;
    for (int index = end - 1; index >= at; index--) {
      rest = (rest << 8) | (bytes[index] & 0xFF);
    }
    return rest;
  }

  /** Ones where a rest of so many bytes has elements. */
  static long mask(int bytes) {
    return bytes == 0 ? 0 : -1L >>> (64 - 8 * bytes);
  }

  /** A hash of all bits of the last row. */
  final long hash() {
    return hash;
  }

  /** Whether the last row held zeros alone, of either sign. */
  final boolean isZero() {
    return isZero;
  }

  /** Whether the last row held one number all along. */
  final boolean isConstant() {
    return isConstant;
  }

  /** Whether the last row held neither NaN nor infinities. */
  final boolean isFinite() {
    return isFinite;
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
