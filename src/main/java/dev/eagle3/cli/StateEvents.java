package dev.eagle3.cli;

import dev.eagle3.outcome.Event;
import dev.eagle3.run.RunStatus;
import java.time.Duration;
import java.time.Instant;

/** Runs as events, with what a person wants to know beside the state. */
final class StateEvents {
  private StateEvents() {}

  /** The event of one run. */
  static Event.State of(RunStatus status, String host, Instant now) {
    Event.State state = status.state().toEvent(status.folder().run());
    return new Event.State(
        state.run(),
        state.state(),
        state.code(),
        state.says()
            + status
                .endedSince()
                .map(end -> "; it was ended by eagle3, since " + end.since())
                .orElse(""),
        state.pids(),
        host,
        status.details().output().orElse(""),
        ageSeconds(status, now),
        status.logBytes(),
        status.details().logAgeSeconds().orElse(-1),
        status.details().samples().orElse(-1));
  }

  /** How long ago it was launched; -1 when that is not known. */
  static long ageSeconds(RunStatus status, Instant now) {
    return status
        .folder()
        .run()
        .time()
        .map(launch -> Math.max(-1, Duration.between(launch, now).toSeconds()))
        .orElse(-1L);
  }
}
