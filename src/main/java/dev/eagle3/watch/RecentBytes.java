package dev.eagle3.watch;

import java.util.Arrays;

/**
 * The last bytes that came of a log, as many as may belong to something else than was thought: a
 * log that is cut is noticed a moment later, and its new beginning may have come by then.
 */
final class RecentBytes {
  private static final int MOST_BYTES = 1 << 20;

  private byte[] kept = new byte[1 << 10];
  private int count;

  /** Adds bytes at the end; the oldest are forgotten when they are too many. */
  void add(byte[] bytes, int length) {
    int from = Math.max(0, length - MOST_BYTES);
    int added = length - from;
    keepLast(Math.min(count, MOST_BYTES - added));
    if (count + added > kept.length) {
      kept = Arrays.copyOf(kept, Math.min(MOST_BYTES, 2 * (count + added)));
    }
    System.arraycopy(bytes, from, kept, count, added);
    count += added;
  }

  /** Forgets all but the last ones. */
  void keepLast(long wanted) {
    int left = (int) Math.max(0, Math.min(count, wanted));
    System.arraycopy(kept, count - left, kept, 0, left);
    count = left;
  }

  int count() {
    return count;
  }

  /**
   * How many of the last bytes are the first ones of a file: the most that agree.
   *
   * @param beginning the first bytes of the file
   */
  int overlap(byte[] beginning) {
    int[] borders = borders(beginning);
    int matched = 0;
    for (int index = 0; index < count && beginning.length > 0; index++) {
      if (matched == beginning.length) {
        matched = borders[matched - 1];
      }
      while (matched > 0 && beginning[matched] != kept[index]) {
        matched = borders[matched - 1];
      }
      matched += beginning[matched] == kept[index] ? 1 : 0;
    }
    return matched;
  }

  /** Of each beginning of a text, how long its longest proper beginning is that also ends it. */
  private static int[] borders(byte[] text) {
    int[] borders = new int[text.length];
    int matched = 0;
    for (int index = 1; index < text.length; index++) {
      while (matched > 0 && text[matched] != text[index]) {
        matched = borders[matched - 1];
      }
      matched += text[matched] == text[index] ? 1 : 0;
      borders[index] = matched;
    }
    return borders;
  }
}
