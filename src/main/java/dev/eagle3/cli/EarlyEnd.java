package dev.eagle3.cli;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.report.Units;
import java.util.concurrent.atomic.AtomicLong;

/**
 * That the work of the thread that made this is to end early, and how far it was. For many threads.
 */
final class EarlyEnd {
  private final Thread worker = Thread.currentThread();
  private final AtomicLong files = new AtomicLong();
  private volatile String why = "";

  /** Interrupts the worker. */
  void because(String reason) {
    why = reason;
    worker.interrupt();
  }

  boolean isWanted() {
    return !why.isEmpty();
  }

  /** Passes events on, and counts files that were checked. */
  EventSink counting(EventSink sink) {
    return event -> {
      if (event instanceof Event.FileChecked) {
        files.incrementAndGet();
      }
      sink.emit(event);
    };
  }

  /** What the command ends with. */
  Failure failure(String where) {
    long checked = files.get();
    String noun = checked == 1 ? " file" : " files";
    return Failure.of(
        Exit.INTERRUPTED,
        where,
        why + " after " + Units.count(checked) + noun + "; nothing was changed");
  }
}
