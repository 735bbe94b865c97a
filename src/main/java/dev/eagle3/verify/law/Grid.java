package dev.eagle3.verify.law;

import dev.eagle3.tensor.TensorEntry;

/**
 * The rows of a sample that are looked at: the multiples of a power of two, so that samples of
 * different lengths have rows in common. Row 0 follows no token and is left out.
 *
 * @param step from one row to the next
 * @param count how many rows
 */
record Grid(int step, int count) {
  /** Rows at the most of a sample, when they are large. */
  private static final int ROWS = 64;

  /** Small rows are cheap: as many as fit into this, up to four times as many. */
  private static final long CHEAP_BYTES = 256 << 10;

  static Grid of(LawSample sample) {
    long most = Math.max(ROWS, Math.min(4 * ROWS, CHEAP_BYTES / sample.rowBytes()));
    int step = 1;
    while (sample.tokens() / step > most) {
      step *= 2;
    }
    return new Grid(step, Math.max(0, (sample.tokens() - 1) / step));
  }

  int row(int index) {
    return step * (index + 1);
  }

  /** The rows as a matrix. */
  TensorEntry rowsOf(LawSample sample) {
    return sample.every(step, step, count);
  }
}
