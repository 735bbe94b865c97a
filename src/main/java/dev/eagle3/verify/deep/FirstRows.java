package dev.eagle3.verify.deep;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds the first row of those with one key. A few bytes a row and no objects: a file may have
 * millions. No file can choose keys that make it slow, since each table spreads them in its own
 * way. For one thread.
 */
final class FirstRows {
  private final long[] keys;

  /** Rows plus one, by their keys; 0 is free. At least half is. */
  private final int[] table;

  private final long factor = ThreadLocalRandom.current().nextLong() | 1;
  private final int shift;

  /** Of rows with these keys, none of which was asked for yet. The array is read, never changed. */
  FirstRows(long[] keys) {
    this.keys = keys;
    int bits = 33 - Integer.numberOfLeadingZeros(keys.length);
    this.table = new int[1 << bits];
    this.shift = Long.SIZE - bits;
  }

  /** The first row with the key of this one that was asked for before; −1 when there is none. */
  int before(int row) {
    long key = keys[row];
    int place = (int) ((key * factor) >>> shift);
    while (table[place] != 0) {
      int earlier = table[place] - 1;
      if (keys[earlier] == key) {
        return earlier;
      }
      place = (place + 1) & (table.length - 1);
    }
    table[place] = row + 1;
    return -1;
  }
}
