package dev.eagle3.cause;

import dev.eagle3.extractor.LogMilestone;
import dev.eagle3.extractor.LogRules;
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
import java.util.Collections;
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

  /** Whether one of the milestones says that the work is done. */
  public static boolean isDone(Set<String> milestones) {
    return !Collections.disjoint(milestones, DONE);
  }

  /**
   * Reports the first error of the log with its cause, or that the log ends without a word of
   * either kind, and what it says of samples that are missing.
   *
   * @param path the log, as findings name it
   * @param log all of it
   * @param rules what its lines mean
   * @param milestones those of the rules that it has; with none of them it is that of another
   *     program, and how that ends is not known
   * @param mayGoOn whether more may come
   * @return {@code DONE}, {@code WRONG} when the log says that samples are missing, {@code
   *     RUN_FAILED} when it shows an error or does not say that the work is done, {@code
   *     STOPPED_WATCHING} when nothing of this holds and more may come
   */
  public Exit explain(
      String path, LogReader log, LogRules rules, Set<String> milestones, boolean mayGoOn) {
    boolean sawDone = isDone(milestones);
    boolean saysDone = rules.milestones().stream().map(LogMilestone::name).anyMatch(DONE::contains);
    boolean early = !sawDone && saysDone && !milestones.isEmpty() && !mayGoOn;
    RunCauseFinder causes =
        new RunCauseFinder("log " + path, new RunState.Lost(""), log, () -> KernelNotes.NONE);
    boolean failed = !sawDone && (log.firstFailure().isPresent() || log.uncaught().isPresent());
    if (failed) {
      found("log.shows-failure", path, "a log without an error", "it shows one", log.lastErrors());
      causes.find().ifPresent(this::name);
    } else if (early) {
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
    if (failed || early) {
      return Exit.RUN_FAILED;
    }
    if (!log.losses().isEmpty()) {
      return Exit.WRONG;
    }
    return mayGoOn && !sawDone ? Exit.STOPPED_WATCHING : Exit.DONE;
  }

  private void found(
      String code, String path, String expected, String actual, List<String> evidence) {
    sink.emit(new Event.Found(new Finding(code, Severity.ERROR, path, expected, actual, evidence)));
  }

  private void name(Cause cause) {
    sink.emit(new Event.Named(cause));
  }
}
