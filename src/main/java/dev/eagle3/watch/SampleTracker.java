package dev.eagle3.watch;

import dev.eagle3.files.FileStat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells which of the samples that are listed again and again are to be looked at. A sample that is
 * new or has changed is; one that was not finished when it was looked at is again once it rests.
 * Knows no clock and no files: time passes with each list.
 */
final class SampleTracker {
  /** Lists in which a file stays the same until it rests. */
  static final int RESTS = 2;

  /** A file that rests and is not finished is looked at again after so many lists. */
  static final int AGAIN = 10;

  /** Of a run that has saved more when it is first looked at, the first and the last ones are. */
  static final int MOST_AT_FIRST = 256;

  private static final Seen SETTLED = new Seen(-1, -1);

  private final Map<String, Seen> seen = new HashMap<>();
  private int settled;
  private boolean changed;
  private boolean first = true;

  /** What a file was when it was last listed. */
  private static final class Seen {
    private final long bytes;
    private final long modifiedSeconds;
    private int rests;

    Seen(long bytes, long modifiedSeconds) {
      this.bytes = bytes;
      this.modifiedSeconds = modifiedSeconds;
    }

    boolean is(FileStat file) {
      return bytes == file.bytes() && modifiedSeconds == file.modifiedSeconds();
    }
  }

  /**
   * A sample to look at.
   *
   * @param rests in how many lists it has stayed the same; 0 for a new or changed one
   */
  record Due(FileStat file, int rests) {
    boolean isAtRest() {
      return rests >= RESTS;
    }
  }

  /** Those of the listed samples that are to be looked at now, in their order. */
  List<Due> due(List<FileStat> listed) {
    return due(listed, false);
  }

  /** All of them that are not settled: nothing is written any more. */
  List<Due> left(List<FileStat> listed) {
    return due(listed, true);
  }

  private List<Due> due(List<FileStat> listed, boolean all) {
    List<Due> due = new ArrayList<>();
    changed = false;
    for (FileStat file : listed) {
      Seen before = seen.get(file.path());
      if (before == SETTLED) {
        continue;
      }
      if (before == null || !before.is(file)) {
        changed = true;
        seen.put(file.path(), new Seen(file.bytes(), file.modifiedSeconds()));
        due.add(new Due(file, 0));
      } else if (++before.rests % AGAIN == RESTS || all) {
        due.add(new Due(file, before.rests));
      }
    }
    if (first && due.size() > MOST_AT_FIRST) {
      due = firstAndLast(due);
    }
    first = first && listed.isEmpty();
    return due;
  }

  /** Whether there was a new sample, or one that grew, in the last list. */
  boolean hasChanged() {
    return changed;
  }

  /** Said of a sample for good: it is not looked at again. */
  void settle(FileStat file) {
    if (seen.put(file.path(), SETTLED) != SETTLED) {
      settled++;
    }
  }

  /** How many are settled. */
  int settled() {
    return settled;
  }

  /** It is gone; under the same name another one may come. */
  void forget(FileStat file) {
    seen.remove(file.path());
  }

  private List<Due> firstAndLast(List<Due> due) {
    int half = MOST_AT_FIRST / 2;
    due.subList(half, due.size() - half).forEach(skipped -> settle(skipped.file()));
    List<Due> ends = new ArrayList<>(due.subList(0, half));
    ends.addAll(due.subList(due.size() - half, due.size()));
    return ends;
  }
}
