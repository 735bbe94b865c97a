package dev.eagle3.verify.deep;

import java.util.ArrayList;
import java.util.List;

/** Row numbers that come in ascending order: how many, and the first few as ranges. */
final class RowRanges {
  private static final int MOST_RANGES = 5;

  private final List<long[]> ranges = new ArrayList<>(0);
  private long count;

  void add(long row) {
    count++;
    long[] last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (last != null && last[1] == row - 1) {
      last[1] = row;
    } else if (ranges.size() <= MOST_RANGES) {
      ranges.add(new long[] {row, row});
    }
  }

  long count() {
    return count;
  }

  /** In words: {@code row 7}, {@code rows 3 to 7, 9}, {@code 1,200 rows, 0, 2, 4, 6, 8, …}. */
  String words() {
    StringBuilder words = new StringBuilder();
    for (int index = 0; index < Math.min(MOST_RANGES, ranges.size()); index++) {
      long[] range = ranges.get(index);
      words.append(index == 0 ? "" : ", ").append(range[0]);
      words.append(range[0] == range[1] ? "" : " to " + range[1]);
    }
    if (ranges.size() > MOST_RANGES) {
      return Words.count(count) + " rows, " + words + ", …";
    }
    return (count == 1 ? "row " : "rows ") + words;
  }
}
