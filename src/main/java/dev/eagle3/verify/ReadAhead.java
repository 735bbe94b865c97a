package dev.eagle3.verify;

import dev.eagle3.files.ByteRange;
import java.util.List;

/**
 * How much of either end of a file to ask for at once: as much as was needed of files before. The
 * files of a folder are alike, and over a network a call costs more than bytes do. May be used from
 * many threads at once.
 */
final class ReadAhead {
  /** What lies further inside is asked for when it is needed. */
  private static final int MOST_BYTES = 128 << 10;

  /** Files differ in length by their tokens, a little. */
  private static final int STEP_BYTES = 4 << 10;

  private volatile int headBytes;
  private volatile int tailBytes;

  int headBytes() {
    return headBytes;
  }

  int tailBytes() {
    return tailBytes;
  }

  /** Notes what had to be asked for in a call of its own. */
  void learn(long fileBytes, List<ByteRange> missed) {
    for (ByteRange range : missed) {
      long fromStart = range.offset() + range.length();
      long fromEnd = fileBytes - range.offset();
      if (fromStart <= fromEnd && fromStart <= MOST_BYTES) {
        headBytes = Math.max(headBytes, rounded(fromStart));
      } else if (fromEnd <= MOST_BYTES) {
        tailBytes = Math.max(tailBytes, rounded(fromEnd));
      }
    }
  }

  private static int rounded(long bytes) {
    return (int) ((bytes + STEP_BYTES - 1) / STEP_BYTES) * STEP_BYTES;
  }
}
