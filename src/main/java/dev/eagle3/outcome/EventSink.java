package dev.eagle3.outcome;

/** Where events go: a report, a test, a counter. Called from one thread at a time. */
@FunctionalInterface
public interface EventSink {
  /** Takes one event; never throws for its content. */
  void emit(Event event);
}
