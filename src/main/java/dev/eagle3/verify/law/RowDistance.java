package dev.eagle3.verify.law;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How far rows of two samples are apart that ought to be the same, held against how far different
 * rows of the same two are apart. Distances are 1 − cosine: a scale of its own for each pair, so
 * that neither magnitudes nor the noise of a kernel decide.
 *
 * @param same middle distance of rows that should be the same; NaN when there are none
 * @param other middle distance of rows that should not be
 */
record RowDistance(double same, double other) {
  /** What different rows have to be apart at the least, for anything to be told from them. */
  private static final double RESOLUTION = 1e-3;

  /** Compares row k of {@code left} with row k of {@code right}, and with its other rows. */
  static RowDistance of(float[] left, float[] right, int columns) {
    List<Double> same = new ArrayList<>();
    List<Double> other = new ArrayList<>();
    for (int row = 0; row < left.length / columns; row++) {
      for (int against = 0; against < right.length / columns; against++) {
        double distance = 1 - cosine(left, row * columns, right, against * columns, columns);
        if (!Double.isNaN(distance)) {
          (row == against ? same : other).add(distance);
        }
      }
    }
    return new RowDistance(middle(same), middle(other));
  }

  /** Whether the rows are the same, up to what a kernel may differ by. */
  boolean isSame() {
    return isTelling() && same <= other / 4;
  }

  /** Whether the rows have no more to do with each other than any two rows have. */
  boolean isDifferent() {
    return isTelling() && same >= other / 2;
  }

  private boolean isTelling() {
    return other > RESOLUTION;
  }

  private static double middle(List<Double> distances) {
    if (distances.isEmpty()) {
      return Double.NaN;
    }
    Collections.sort(distances);
    return distances.get(distances.size() / 2);
  }

  private static double cosine(float[] left, int from, float[] right, int other, int columns) {
    double product = 0;
    double leftSquares = 0;
    double rightSquares = 0;
    for (int column = 0; column < columns; column++) {
      double first = left[from + column];
      double second = right[other + column];
      product += first * second;
      leftSquares += first * first;
      rightSquares += second * second;
    }
    return product / Math.sqrt(leftSquares * rightSquares);
  }
}
