package dev.eagle3.cli;

import dev.eagle3.extractor.LogMilestone;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Notices in the events of a run that what is waited for has come. Passes on what somebody who
 * waits wants to read: not the log, and no good samples but the first.
 */
final class Awaited implements EventSink {
  /** The milestone of extractors that says it. */
  private static final String LOADED = "model-loaded";

  private final Until until;
  private final Set<String> meansLoaded;
  private final EventSink sink;
  private Runnable action = () -> {};
  private boolean sawGood;
  private @Nullable String says;

  Awaited(Until until, LogRules rules, EventSink sink) {
    this.until = until;
    this.sink = sink;
    List<String> names = rules.milestones().stream().map(LogMilestone::name).toList();
    int loaded = names.indexOf(LOADED);
    this.meansLoaded =
        loaded < 0
            ? Set.of()
            : names.subList(loaded, names.size()).stream().collect(Collectors.toSet());
  }

  /** What to do when it has come. */
  void whenReached(Runnable reached) {
    action = reached;
  }

  /** What has come, in words; empty as long as it has not. */
  Optional<String> says() {
    return Optional.ofNullable(says);
  }

  @Override
  public void emit(Event event) {
    if (says != null) {
      return;
    }
    boolean good = event instanceof Event.FileChecked file && file.verdict().equals("good");
    if (!(event instanceof Event.LogLine) && !(good && sawGood)) {
      sink.emit(event);
    }
    sawGood |= good;
    if (good && until != Until.DONE) {
      reached(until == Until.LOADED ? "the model is loaded" : "its first good sample is saved");
    } else if (until == Until.LOADED
        && event instanceof Event.Milestone milestone
        && meansLoaded.contains(milestone.name())) {
      reached("the model is loaded");
    }
  }

  private void reached(String what) {
    says = what;
    action.run();
  }
}
