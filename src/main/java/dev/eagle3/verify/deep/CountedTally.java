package dev.eagle3.verify.deep;

import org.jspecify.annotations.Nullable;

/**
 * Counts how often each value of a dtype of 8 or 16 bits stands in a layer: exact, whatever it is.
 */
final class CountedTally extends Tally {
  /** Counters are ints, half the size in the caches; they are emptied before one could run over. */
  private static final int MOST_BEFORE_EMPTYING = 1 << 30;

  private final int[] counts;
  private long @Nullable [] emptied;
  private long uncounted;

  CountedTally(Element element) {
    super(element);
    this.counts = new int[1 << (8 * element.bytes())];
  }

  @Override
  void count(byte[] bytes, int at, int end) {
    int elements = (end - at) / element().bytes();
    uncounted += elements;
    if (uncounted > MOST_BEFORE_EMPTYING) {
      empty();
      uncounted = elements;
    }
    if (element().bytes() == 2) {
      countTwoBytes(bytes, at, end);
    } else {
      countOneByte(bytes, at, end);
    }
  }

  private void countTwoBytes(byte[] bytes, int at, int end) {
    long exponents = element().exponents();
    long carries = element().carries();
    int[] table = counts;
    long first = element().repeated(bytes, at);
    long hash = seed();
    long or = 0;
    long differences = 0;
    long carried = 0;
    int index = at;
    for (; index <= end - 8; index += 8) {
      long bits = (long) Element.LONGS.get(bytes, index);
      hash = mixed(hash, bits);
      or |= bits;
      differences |= bits ^ first;
      carried |= (bits & exponents) + carries;
      table[(int) bits & 0xFFFF]++;
      table[(int) (bits >>> 16) & 0xFFFF]++;
      table[(int) (bits >>> 32) & 0xFFFF]++;
      table[(int) (bits >>> 48)]++;
    }
    long rest = rest(bytes, index, end);
    for (int each = index; each < end; each += 2) {
      table[Element.u16(bytes, each)]++;
    }
    note(
        mixed(hash, rest),
        or | rest,
        differences | ((rest ^ first) & mask(end - index)),
        carried | ((rest & exponents) + carries));
  }

  private void countOneByte(byte[] bytes, int at, int end) {
    long exponents = element().exponents();
    long carries = element().carries();
    long first = element().repeated(bytes, at);
    long hash = seed();
    long or = 0;
    long differences = 0;
    long carried = 0;
    int index = at;
    for (; index <= end - 8; index += 8) {
      long bits = (long) Element.LONGS.get(bytes, index);
      hash = mixed(hash, bits);
      or |= bits;
      differences |= bits ^ first;
      carried |= (bits & exponents) + carries;
    }
    long rest = rest(bytes, index, end);
    for (int each = at; each < end; each++) {
      counts[bytes[each] & 0xFF]++;
    }
    note(
        mixed(hash, rest),
        or | rest,
        differences | ((rest ^ first) & mask(end - index)),
        carried | ((rest & exponents) + carries));
  }

  private void empty() {
    long[] all = emptied == null ? new long[counts.length] : emptied;
    for (int bits = 0; bits < counts.length; bits++) {
      all[bits] += counts[bits];
      counts[bits] = 0;
    }
    emptied = all;
  }

  @Override
  Totals totals() {
    Totals totals = new Totals(0, 0, 0, 0, 0, 0);
    byte[] bytes = new byte[2];
    for (int bits = 0; bits < counts.length; bits++) {
      long count = counts[bits] + (emptied == null ? 0 : emptied[bits]);
      if (count > 0) {
        bytes[0] = (byte) bits;
        bytes[1] = (byte) (bits >> 8);
        totals = totals.plus(of(element().value(bytes, 0), count));
      }
    }
    return totals;
  }

  private static Totals of(double value, long count) {
    if (Double.isNaN(value)) {
      return new Totals(count, count, 0, 0, 0, 0);
    }
    if (Double.isInfinite(value)) {
      return new Totals(count, 0, count, 0, 0, 0);
    }
    return new Totals(count, 0, 0, value == 0 ? count : 0, count * value * value, Math.abs(value));
  }
}
