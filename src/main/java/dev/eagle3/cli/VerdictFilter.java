package dev.eagle3.cli;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;

/** Passes on files of one verdict and what was found in them, and everything that is of no file. */
final class VerdictFilter implements EventSink {
  private final String verdict;
  private final EventSink sink;
  private String hidden = "";

  VerdictFilter(String verdict, EventSink sink) {
    this.verdict = verdict;
    this.sink = sink;
  }

  @Override
  public void emit(Event event) {
    if (event instanceof Event.FileChecked file) {
      hidden = file.verdict().equals(verdict) ? "" : file.path();
    }
    if (!isHidden(event)) {
      sink.emit(event);
    }
  }

  /** Findings of a file follow it. */
  private boolean isHidden(Event event) {
    return !hidden.isEmpty()
        && (event instanceof Event.FileChecked
            || (event instanceof Event.Found found && isOf(hidden, found.finding().subject())));
  }

  private static boolean isOf(String path, String subject) {
    return subject.equals(path) || subject.startsWith(path + ": ");
  }
}
