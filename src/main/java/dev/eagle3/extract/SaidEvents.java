package dev.eagle3.extract;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import java.util.HashSet;
import java.util.Set;

/**
 * Passes events on, and knows what was said of files: what is verified while a run lives and once
 * more when it has ended need not be said twice. Keeps one number for each.
 */
public final class SaidEvents implements EventSink {
  private final EventSink sink;
  private final Set<Long> said = new HashSet<>();

  public SaidEvents(EventSink sink) {
    this.sink = sink;
  }

  @Override
  public synchronized void emit(Event event) {
    if (isOfFiles(event)) {
      said.add(numberOf(event));
    }
    sink.emit(event);
  }

  /** Passes on what this has not said already. */
  public EventSink withoutRepeats() {
    return event -> {
      if (!isOfFiles(event) || isNew(event)) {
        sink.emit(event);
      }
    };
  }

  private synchronized boolean isNew(Event event) {
    return said.add(numberOf(event));
  }

  private static boolean isOfFiles(Event event) {
    return event instanceof Event.FileChecked
        || event instanceof Event.Found
        || event instanceof Event.Named;
  }

  /** Of a cause only its code counts: with more files there is more evidence of the same. */
  private static long numberOf(Event event) {
    String text =
        event instanceof Event.Named named ? "cause " + named.cause().code() : event.toString();
    long hash = 0xcbf29ce484222325L;
    for (int index = 0; index < text.length(); index++) {
      hash = (hash ^ text.charAt(index)) * 0x100000001b3L;
    }
    return hash;
  }
}
