package dev.eagle3.verify.law;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fingerprints of rows, to find those that are equal bit for bit though they follow different ids:
 * they were copied, as no model computes one state twice. Not for many threads.
 */
final class RowPrints {
  private final Map<Print, Place> seen = new HashMap<>();
  private final Map<Files, List<Copy>> copies = new LinkedHashMap<>();

  private record Print(long one, long two) {}

  private record Place(LawSample sample, int row) {}

  private record Files(LawSample first, LawSample second) {}

  /** Row {@code secondRow} of the second sample is row {@code firstRow} of the first. */
  record Copy(LawSample first, int firstRow, LawSample second, int secondRow) {}

  /** Adds the rows of a sample, as they were read by its grid. */
  void add(LawSample sample, Grid grid, float[] states) {
    int columns = sample.hiddenSize();
    for (int index = 0; index < grid.count(); index++) {
      int row = grid.row(index);
      if (isPlain(states, index * columns, columns)) {
        continue;
      }
      Place place = new Place(sample, row);
      Place before = seen.putIfAbsent(print(states, index * columns, columns), place);
      if (before != null && isCopy(before, place)) {
        copies
            .computeIfAbsent(new Files(before.sample(), sample), files -> new ArrayList<>())
            .add(new Copy(before.sample(), before.row(), sample, row));
      }
    }
  }

  /**
   * Whether one of two equal rows must be a copy. Equal ids may be padding in front, which some
   * kernels give one state; of samples that share all ids up to the earlier row, one may be
   * shifted; and the rows of one sample are compared where all of them are read.
   */
  private static boolean isCopy(Place one, Place two) {
    return one.sample() != two.sample()
        && one.sample().id(one.row()) != two.sample().id(two.row())
        && one.sample().sharedWith(two.sample()) <= Math.min(one.row(), two.row());
  }

  /** The copies by pairs of files, of those with two rows or more. */
  List<List<Copy>> copies() {
    return copies.values().stream().filter(rows -> rows.size() > 1).toList();
  }

  /** Whether a row holds one value, or no numbers: that is another fault. */
  private static boolean isPlain(float[] states, int from, int columns) {
    boolean isConstant = true;
    for (int column = 0; column < columns; column++) {
      if (Float.isNaN(states[from + column])) {
        return true;
      }
      isConstant &= states[from + column] == states[from];
    }
    return isConstant;
  }

  private static Print print(float[] states, int from, int columns) {
    long one = 0x9E3779B97F4A7C15L;
    long two = 0xC2B2AE3D27D4EB4FL;
    for (int column = 0; column < columns; column++) {
      int bits = Float.floatToRawIntBits(states[from + column]);
      one = Long.rotateLeft((one ^ bits) * 0xFF51AFD7ED558CCDL, 31);
      two = Long.rotateLeft((two + bits) * 0xC4CEB9FE1A85EC53L, 29) ^ column;
    }
    return new Print(one, two);
  }
}
