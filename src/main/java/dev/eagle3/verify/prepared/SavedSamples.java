package dev.eagle3.verify.prepared;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The saved samples of which the ids are known, 33 bytes each beside their paths: hashes of the
 * ids, and of the ids without padding.
 */
final class SavedSamples {
  private static final int FIRST_ROOM = 64;

  private long[] hashes = new long[FIRST_ROOM];
  private long[] unpadded = new long[FIRST_ROOM];
  private String[] paths = new String[FIRST_ROOM];
  private int count;
  private int longest;

  /** Once sorted: which hashes there are, and which of them a row had. */
  private long[] distinct = new long[0];

  private boolean[] met = new boolean[0];
  private int repeated;

  /** May be called from many threads at once. */
  synchronized void add(String path, long[] ids, long[] withoutPadding) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * count);
      unpadded = Arrays.copyOf(unpadded, 2 * count);
      paths = Arrays.copyOf(paths, 2 * count);
    }
    hashes[count] = IdsHash.of(ids);
    unpadded[count] = IdsHash.of(withoutPadding);
    paths[count] = path;
    count++;
    longest = Math.max(longest, ids.length);
  }

  synchronized int count() {
    return count;
  }

  /** Tokens of the longest sample. */
  synchronized int longest() {
    return longest;
  }

  /** To be called when all are there, before rows are looked up. */
  synchronized void sort() {
    long[] sorted = Arrays.copyOf(hashes, count);
    Arrays.sort(sorted);
    repeated = count - withoutRepeats(sorted).length;
    sorted = Arrays.copyOf(sorted, 2 * count);
    System.arraycopy(unpadded, 0, sorted, count, count);
    Arrays.sort(sorted);
    distinct = withoutRepeats(sorted);
    met = new boolean[distinct.length];
  }

  private static long[] withoutRepeats(long[] sorted) {
    long[] kept = new long[sorted.length];
    int length = 0;
    for (int index = 0; index < sorted.length; index++) {
      if (index == 0 || sorted[index] != sorted[index - 1]) {
        kept[length++] = sorted[index];
      }
    }
    return Arrays.copyOf(kept, length);
  }

  /** The place of the samples with these ids; empty when there is none. */
  synchronized OptionalInt find(long hash) {
    int place = Arrays.binarySearch(distinct, hash);
    return place < 0 ? OptionalInt.empty() : OptionalInt.of(place);
  }

  /** Notes that a row has these ids; false when an earlier one had them. */
  synchronized boolean meet(int place) {
    boolean first = !met[place];
    met[place] = true;
    return first;
  }

  /** How many samples have the ids of another one before them. */
  synchronized int repeated() {
    return repeated;
  }

  private boolean isMet(long hash) {
    return met[Arrays.binarySearch(distinct, hash)];
  }

  /** Paths of samples whose ids no row has. */
  synchronized List<String> unmet() {
    return IntStream.range(0, count)
        .filter(index -> !isMet(hashes[index]) && !isMet(unpadded[index]))
        .mapToObj(index -> paths[index])
        .toList();
  }
}
