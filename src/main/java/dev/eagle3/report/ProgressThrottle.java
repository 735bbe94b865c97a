package dev.eagle3.report;

import dev.eagle3.outcome.Event;
import java.util.function.LongSupplier;

/** Which progress is worth showing: the first, the last, and some in between. */
final class ProgressThrottle {
  private final LongSupplier nanos;
  private final long intervalNanos;
  private final int stepPercent;
  private String what = "";
  private long done;
  private long total;
  private long shownNanos;

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
    boolean other = !progress.what().equals(what) || progress.done() < done;
    boolean last = progress.done() == progress.total() && progress.done() != done;
    boolean stepped =
        stepPercent > 0
            && progress.total() > 0
            && (double) (progress.done() - done) * 100 / progress.total() >= stepPercent;
    boolean late = now - shownNanos >= intervalNanos && progress.done() != done;
    if (!other && progress.total() == total && !last && !stepped && !late) {
      return false;
    }
    what = progress.what();
    done = progress.done();
    total = progress.total();
    shownNanos = now;
    return true;
  }
}
