package dev.eagle3.cause;

import dev.eagle3.host.HostScripts;
import dev.eagle3.log.FailureLine;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStatus;
import java.util.List;

/** Says why a run failed, from its state and its log. */
public final class FailedRunExplainer {
  private final HostScripts scripts;
  private final EventSink sink;

  /** Reports to {@code sink} what happened to a run on the host of {@code scripts}. */
  public FailedRunExplainer(HostScripts scripts, EventSink sink) {
    this.scripts = scripts;
    this.sink = sink;
  }

  /**
   * Reports how the run ended, with the first error of its log, the cause when the log names one,
   * and how to end what it left behind. Says nothing of a run that goes on, or ended well and left
   * nothing behind.
   *
   * @param log the run's log, read to its end
   */
  public void explain(RunStatus status, LogReader log) {
    RunState state = status.state();
    if (!state.hasEnded()) {
      return;
    }
    String run = status.folder().run().text();
    if (state.code() != 0) {
      List<String> errors = log.lastErrors();
      List<String> shown = errors.isEmpty() ? log.lastLines() : errors;
      sink.emit(
          new Event.Found(
              new Finding(
                  "run." + state.word(),
                  Severity.ERROR,
                  "run " + run,
                  "the job ends with exit code 0",
                  state.says(),
                  shown)));
    }
    if (!state.pids().isEmpty()) {
      sink.emit(
          new Event.Hint(
              "its processes still hold what they hold; end them with",
              scripts.comeBack("stop " + run)));
    }
    if (state.code() != 0) {
      log.firstFailure().ifPresent(line -> sink.emit(new Event.Named(cause(run, line))));
    }
  }

  private static Cause cause(String run, FailureLine line) {
    return new Cause(
        line.code(), line.says(), List.of(line.line()), "", line.tryNext(), List.of("run " + run));
  }
}
