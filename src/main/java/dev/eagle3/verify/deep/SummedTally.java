package dev.eagle3.verify.deep;

/** Adds up the values of a dtype of 32 or 64 bits. */
final class SummedTally extends Tally {
  private long elements;
  private long nan;
  private long inf;
  private long zero;
  private double squares;
  private double largest;

  SummedTally(Element element) {
    super(element);
  }

  @Override
  void count(byte[] bytes, int at, int end) {
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
    note(
        mixed(hash, rest),
        or | rest,
        differences | ((rest ^ first) & mask(end - index)),
        carried | ((rest & exponents) + carries));
    sum(bytes, at, end);
  }

  private void sum(byte[] bytes, int at, int end) {
    int step = element().bytes();
    elements += (end - at) / step;
    double rowSquares = 0;
    double rowLargest = 0;
    for (int index = at; index < end; index += step) {
      double value = element().value(bytes, index);
      double magnitude = Math.abs(value);
      // A NaN is not below infinity either.
      if (magnitude < Double.POSITIVE_INFINITY) {
        rowSquares += value * value;
        rowLargest = Math.max(rowLargest, magnitude);
        zero += value == 0 ? 1 : 0;
      } else if (Double.isNaN(value)) {
        nan++;
      } else {
        inf++;
      }
    }
    squares += rowSquares;
    largest = Math.max(largest, rowLargest);
  }

  @Override
  Totals totals() {
    return new Totals(elements, nan, inf, zero, squares, largest);
  }
}
