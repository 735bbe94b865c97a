package dev.eagle3.verify.deep;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often each value of a dtype of 8 or 16 bits stands in a layer: exact, whatever it is.
 * Those of 8 bits are counted in pairs, which halves the work. Whether a row is of zeros, or of one
 * number, is told by how far the counters of those went up.
 */
final class CountedTally extends Tally {
  /** Counters are ints, half the size in the caches; they are emptied before one could run over. */
  private static final int MOST_BEFORE_EMPTYING = 1 << 30;

  private static final int COUNTERS = 1 << 16;
  private static final Map<Element, Cells> CELLS = new EnumMap<>(Element.class);

  private final Element element;
  private final Cells cells;

  /** By two bytes, little-endian: one element or two. */
  private final int[] counts = new int[COUNTERS];

  /** By one byte: last elements of rows with an odd number of bytes. */
  private final int[] singles = new int[1 << 8];

  private long @Nullable [] emptied;
  private long uncounted;
  private long hash;
  private boolean isZero;
  private boolean isConstant;
  private long zeros;
  private long nonFinite;

  CountedTally(Element element) {
    this.element = element;
    this.cells = cells(element);
  }

  /**
   * Counters of which much is asked.
   *
   * @param zeros those of zeros alone
   * @param nonFinite those with NaN or infinities
   */
  @SuppressWarnings("ArrayRecordComponent") // tables that are read alone: not to be copied
  private record Cells(int[] zeros, int[] nonFinite) {}

  private static synchronized Cells cells(Element element) {
    return CELLS.computeIfAbsent(
        element, each -> each.bytes() == 2 ? ofShorts(each) : ofPairs(each));
  }

  /** Whether one of 16 bits is finite, its upper nine bits say. */
  private static Cells ofShorts(Element element) {
    boolean[] isNonFinite = new boolean[COUNTERS];
    for (int upper = 0; upper < COUNTERS; upper += 1 << 7) {
      Arrays.fill(isNonFinite, upper, upper + (1 << 7), !Double.isFinite(element.value(upper)));
    }
    return new Cells(new int[] {0, 1 << 15}, those(isNonFinite));
  }

  private static Cells ofPairs(Element element) {
    boolean[] isZero = new boolean[COUNTERS];
    boolean[] isNonFinite = new boolean[COUNTERS];
    double[] values = new double[1 << 8];
    for (int bits = 0; bits < values.length; bits++) {
      values[bits] = element.value(bits);
    }
    for (int cell = 0; cell < COUNTERS; cell++) {
      double one = values[cell >> 8];
      double other = values[cell & 0xFF];
      isZero[cell] = one == 0 && other == 0;
      isNonFinite[cell] = !(Double.isFinite(one) && Double.isFinite(other));
    }
    return new Cells(those(isZero), those(isNonFinite));
  }

  private static int[] those(boolean[] cells) {
    int[] found = new int[COUNTERS];
    int count = 0;
    for (int cell = 0; cell < COUNTERS; cell++) {
      if (cells[cell]) {
        found[count++] = cell;
      }
    }
    return Arrays.copyOf(found, count);
  }

  @Override
  void add(ByteBuffer bytes, int at, int length) {
    uncounted += length;
    if (uncounted > MOST_BEFORE_EMPTYING) {
      empty();
      uncounted = length;
    }
    hash = seed();
    isZero = false;
    isConstant = false;
    int pairs = length / 2;
    if (pairs > 0) {
      int first = (char) Element.CHARS.get(bytes, at);
      int before = counts[first];
      hash = count(bytes, at, at + 2 * pairs, counts);
      boolean isOne = element.bytes() == 2 || first >> 8 == (first & 0xFF);
      isConstant = isOne && counts[first] - before == pairs;
      long zerosBefore = zeros;
      zeros = sum(counts, cells.zeros());
      isZero = zeros - zerosBefore == pairs;
    }
    if (2 * pairs < length) {
      addSingle(bytes.get(at + length - 1) & 0xFF, pairs == 0 ? -1 : bytes.get(at) & 0xFF);
    }
  }

  private void addSingle(int single, int first) {
    singles[single]++;
    hash = mixed(hash, single);
    isConstant = first < 0 || (isConstant && first == single);
    isZero = (first < 0 || isZero) && element.value(single) == 0;
  }

  /**
   * Counts pairs of bytes, and hashes them all. Four hashes, which do not wait for each other: one
   * alone would take longer than the counting.
   */
  private static long count(ByteBuffer bytes, int at, int end, int[] table) {
    long one = seed();
    long two = seed();
    long three = seed();
    long four = seed();
    int index = at;
    for (; index <= end - 32; index += 32) {
      one = mixed(one, (long) Element.LONGS.get(bytes, index));
      two = mixed(two, (long) Element.LONGS.get(bytes, index + 8));
      three = mixed(three, (long) Element.LONGS.get(bytes, index + 16));
      four = mixed(four, (long) Element.LONGS.get(bytes, index + 24));
      table[(char) Element.CHARS.get(bytes, index)]++;
      table[(char) Element.CHARS.get(bytes, index + 2)]++;
      table[(char) Element.CHARS.get(bytes, index + 4)]++;
      table[(char) Element.CHARS.get(bytes, index + 6)]++;
      table[(char) Element.CHARS.get(bytes, index + 8)]++;
      table[(char) Element.CHARS.get(bytes, index + 10)]++;
      table[(char) Element.CHARS.get(bytes, index + 12)]++;
      table[(char) Element.CHARS.get(bytes, index + 14)]++;
      table[(char) Element.CHARS.get(bytes, index + 16)]++;
      table[(char) Element.CHARS.get(bytes, index + 18)]++;
      table[(char) Element.CHARS.get(bytes, index + 20)]++;
      table[(char) Element.CHARS.get(bytes, index + 22)]++;
      table[(char) Element.CHARS.get(bytes, index + 24)]++;
      table[(char) Element.CHARS.get(bytes, index + 26)]++;
      table[(char) Element.CHARS.get(bytes, index + 28)]++;
      table[(char) Element.CHARS.get(bytes, index + 30)]++;
    }
    for (; index < end; index += 2) {
      char pair = (char) Element.CHARS.get(bytes, index);
      one = mixed(one, pair);
      table[pair]++;
    }
    return joined(joined(one, two), joined(three, four));
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
    long before = nonFinite;
    nonFinite = sum(counts, cells.nonFinite());
    for (int single = 0; element.bytes() == 1 && single < singles.length; single++) {
      nonFinite += Double.isFinite(element.value(single)) ? 0 : singles[single];
    }
    return nonFinite != before;
  }

  private static long sum(int[] counts, int[] cells) {
    long sum = 0;
    for (int cell : cells) {
      sum += counts[cell];
    }
    return sum;
  }

  private void empty() {
    long[] all = emptied == null ? new long[COUNTERS] : emptied;
    for (int cell = 0; cell < COUNTERS; cell++) {
      all[cell] += counts[cell];
      counts[cell] = 0;
    }
    emptied = all;
    zeros = 0;
    nonFinite = -1;
  }

  @Override
  Totals totals() {
    long[] ofBytes = element.bytes() == 1 ? ofBytes() : new long[0];
    Totals totals = Totals.NOTHING;
    for (int bits = 0; bits < 1 << (8 * element.bytes()); bits++) {
      long count = ofBytes.length > 0 ? ofBytes[bits] : counted(bits);
      if (count > 0) {
        totals = totals.plus(Totals.of(element.value(bits), count));
      }
    }
    return totals;
  }

  private long counted(int cell) {
    return counts[cell] + (emptied == null ? 0 : emptied[cell]);
  }

  /** Elements of 8 bits by themselves. */
  private long[] ofBytes() {
    long[] counted = new long[singles.length];
    for (int cell = 0; cell < COUNTERS; cell++) {
      counted[cell & 0xFF] += counted(cell);
      counted[cell >> 8] += counted(cell);
    }
    for (int single = 0; single < singles.length; single++) {
      counted[single] += singles[single];
    }
    return counted;
  }
}
