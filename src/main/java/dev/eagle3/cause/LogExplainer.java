package dev.eagle3.cause;

import dev.eagle3.log.LogReader;
import dev.eagle3.log.Loss;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.run.KernelNotes;
import dev.eagle3.run.RunState;
import java.util.List;
import java.util.Set;

/**
 * Says what the log of a job tells whose exit code nobody knows, as eagle3 did not launch it. What
 * the log does not show is not claimed.
 */
public final class LogExplainer {
  /** Milestones of extractors that say that the work is done. */
  private static final Set<String> DONE = Set.of("done", "nothing-to-do");

  private final EventSink sink;

  /** Reports to {@code sink}. */
  public LogExplainer(EventSink sink) {
    this.sink = sink;
  }

  /** Whether a milestone says that the work is done. */
  public static boolean isDone(Event.Milestone milestone) {
    return isDone(milestone.name());
  }

  /** Whether a milestone of this name does. */
  public static boolean isDone(String milestone) {
    return DONE.contains(milestone);
  }

  /**
   * Reports the first error of the log with its cause, or that the log ends without a word of
   * either kind, and what it says of samples that are missing.
   *
   * @param path the log, as findings name it
   * @param log all of it
   * @param sawDone whether a milestone said that the work is done
   * @param knowsDone whether the rules have such a milestone
   * @return {@code DONE}, {@code WRONG} when the log says that samples are missing, {@code
   *     RUN_FAILED} when it shows an error or does not say that the work is done
   */
  public Exit explain(String path, LogReader log, boolean sawDone, boolean knowsDone) {
    RunCauseFinder causes =
        new RunCauseFinder("log " + path, new RunState.Lost(""), log, () -> KernelNotes.NONE);
    boolean failed = !sawDone && (log.firstFailure().isPresent() || log.uncaught().isPresent());
    if (failed) {
      found("log.shows-failure", path, "a log without an error", "it shows one", log.lastErrors());
      causes.find().ifPresent(this::name);
    } else if (!sawDone && knowsDone) {
      found(
          "log.ends-early",
          path,
          "a line that says that the work is done",
          "it ends without one",
          log.lastLines());
    }
    for (Loss loss : log.losses()) {
      found(
          "run.samples-missing",
          path,
          "a file for every sample",
          "the log says that samples are missing",
          List.of());
      name(causes.lost(loss));
    }
    if (failed || (!sawDone && knowsDone)) {
      return Exit.RUN_FAILED;
    }
    return log.losses().isEmpty() ? Exit.DONE : Exit.WRONG;
  }

  private void found(
      String code, String path, String expected, String actual, List<String> evidence) {
    sink.emit(new Event.Found(new Finding(code, Severity.ERROR, path, expected, actual, evidence)));
  }

  private void name(Cause cause) {
    sink.emit(new Event.Named(cause));
  }
}
