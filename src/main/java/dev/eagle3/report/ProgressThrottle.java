package dev.eagle3.report;

import dev.eagle3.outcome.Event;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Which progress is worth showing: of each kind the first, the last, and some in between. */
final class ProgressThrottle {
  private static final int MOST_KINDS = 32;

  private final LongSupplier nanos;
  private final long intervalNanos;
  private final int stepPercent;
  private final Map<String, Shown> shown =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Shown> eldest) {
          return size() > MOST_KINDS;
        }
      };

  /** What was last shown of one kind, and when. */
  private record Shown(long done, long total, long nanos) {}

  /**
   * A throttle.
   *
   * @param nanos a clock that never goes back
   * @param intervalNanos show one when this long has passed since the last that was shown
   * @param stepPercent or when it is this much further; 0 for never
   */
  ProgressThrottle(LongSupplier nanos, long intervalNanos, int stepPercent) {
    this.nanos = nanos;
    this.intervalNanos = intervalNanos;
    this.stepPercent = stepPercent;
  }

  /** Whether to show it; if so, it counts as shown. */
  boolean isDue(Event.Progress progress) {
    long now = nanos.getAsLong();
    Shown before = shown.get(progress.what());
    if (before != null && !isDue(progress, before, now)) {
      return false;
    }
    shown.put(progress.what(), new Shown(progress.done(), progress.total(), now));
    return true;
  }

  private boolean isDue(Event.Progress progress, Shown before, long now) {
    boolean again = progress.done() < before.done() || progress.total() != before.total();
    boolean last = progress.done() == progress.total() && progress.done() != before.done();
    boolean stepped =
        stepPercent > 0
            && progress.total() > 0
            && (double) (progress.done() - before.done()) * 100 / progress.total() >= stepPercent;
    boolean late = now - before.nanos() >= intervalNanos && progress.done() != before.done();
    return again || last || stepped || late;
  }
}
