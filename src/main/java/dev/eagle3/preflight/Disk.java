package dev.eagle3.preflight;

import dev.eagle3.output.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A disk as its file system describes itself.
 *
 * @param path what of it is there: the path that was asked for, or a folder above it
 * @param type of the file system, as {@code stat -f} names it: {@code ext2/ext3}, {@code nfs}
 * @param totalBytes its size
 * @param freeBytes what a user without privileges may still write
 * @param inodes how many files it can hold; 0 where there is no fixed number
 * @param freeInodes how many more
 */
record Disk(
    String path, String type, long totalBytes, long freeBytes, long inodes, long freeInodes) {
  /** Larger than any disk. */
  private static final long ABSURD_BYTES = 1L << 60;

  /** The disk that the machine answered for a word; empty when it did not. */
  static Optional<Disk> of(Situation situation, String word) {
    Optional<List<String>> row = situation.machine().named("disk", word, 8);
    if (row.isEmpty()) {
      return Optional.empty();
    }
    List<Long> numbers = new ArrayList<>();
    for (String field : row.get().subList(3, 8)) {
      OptionalLong number = Rows.number(field);
      numbers.add(number.orElse(-1));
    }
    long block = numbers.get(0);
    if (block <= 0 || numbers.get(1) < 0 || numbers.get(2) < 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Disk(
            row.get().get(1),
            JobChecks.shown(row.get().get(2)),
            times(block, numbers.get(1)),
            times(block, numbers.get(2)),
            Math.max(0, numbers.get(3)),
            Math.max(0, numbers.get(4))));
  }

  /** Whether its figures mean nothing, as those of some network file systems. */
  boolean isAbsurd() {
    return totalBytes == 0 || totalBytes >= ABSURD_BYTES || freeBytes > totalBytes;
  }

  String freeSays() {
    return Amount.size(freeBytes) + " free";
  }

  private static long times(long block, long count) {
    return count > ABSURD_BYTES / block ? ABSURD_BYTES : block * count;
  }
}
