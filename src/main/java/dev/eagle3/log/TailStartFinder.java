package dev.eagle3.log;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.RangedBytes;
import java.io.IOException;
import java.util.List;

/** Finds where the last lines of a log start, reading backwards. */
public final class TailStartFinder {
  private static final int FIRST_BLOCK_BYTES = 32 * 1024;
  private static final int MOST_BLOCK_BYTES = 1024 * 1024;

  /** A log whose last lines are longer is shown from here on. */
  static final long MOST_BYTES = 64L * 1024 * 1024;

  private TailStartFinder() {}

  /**
   * The byte offset at which the last {@code lines} lines of the log start: 0 when it has fewer,
   * its size when {@code lines} is 0. Lines end at {@code \n}; one without an end counts. Blocks
   * until the last part of the log is read, of which it holds at most 1 MiB at a time and reads 64
   * MiB in all; where those do not reach, their start is the answer.
   */
  public static long find(RangedBytes log, long lines) throws IOException {
    if (lines <= 0) {
      return log.size();
    }
    long end = log.size();
    long lowest = Math.max(0, end - MOST_BYTES);
    long left = lines;
    int block = FIRST_BLOCK_BYTES;
    while (end > lowest) {
      int length = (int) Math.min(block, end - lowest);
      byte[] bytes = log.read(List.of(new ByteRange(end - length, length))).get(0);
      for (int index = bytes.length - 1; index >= 0; index--) {
        long after = end - length + index + 1;
        if (bytes[index] == '\n' && after < log.size() && --left == 0) {
          return after;
        }
      }
      end -= length;
      block = Math.min(MOST_BLOCK_BYTES, block * 2);
    }
    return lowest;
  }
}
