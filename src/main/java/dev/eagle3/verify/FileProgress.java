package dev.eagle3.verify;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;

/** Says how many files of a folder are done, where that takes long enough to be asked. */
final class FileProgress {
  private static final int MANY_HEADERS = 500;
  private static final int MANY_WITH_VALUES = 4;
  private static final double NANOS = 1e9;

  /** What is over by then needs no word. */
  private static final double QUIET_SECONDS = 1;

  private final long total;
  private final boolean isSaid;
  private final EventSink events;
  private final long started = System.nanoTime();

  /**
   * Begins to measure.
   *
   * @param withValues whether all bytes of the files are read
   */
  FileProgress(long total, boolean withValues, EventSink events) {
    this.total = total;
    this.isSaid = total >= (withValues ? MANY_WITH_VALUES : MANY_HEADERS);
    this.events = events;
  }

  /** So many are done; whoever shows it decides how often. */
  void done(long files) {
    if (!isSaid) {
      return;
    }
    double seconds = (System.nanoTime() - started) / NANOS;
    if (seconds >= QUIET_SECONDS) {
      double rate = files / seconds;
      long left = rate > 0 ? Math.round((total - files) / rate) : -1;
      events.emit(new Event.Progress("files", files, total, rate, left));
    }
  }
}
