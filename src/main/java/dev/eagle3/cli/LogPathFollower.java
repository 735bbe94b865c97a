package dev.eagle3.cli;

import dev.eagle3.cause.Diagnoser;
import dev.eagle3.cause.Diagnosis;
import dev.eagle3.cause.EndedLogReader;
import dev.eagle3.cause.LogExplainer;
import dev.eagle3.extract.SaidEvents;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.HostProcess;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.report.Units;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.watch.LogEnd;
import dev.eagle3.watch.LogLook;
import dev.eagle3.watch.LogWatched;
import dev.eagle3.watch.LogWatcher;
import dev.eagle3.watch.SampleWatch;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Follows the log of a job that eagle3 did not launch, and verifies what it saves. */
final class LogPathFollower {
  private final HostScripts scripts;
  private final String log;
  private final Optional<Extractor> extractor;
  private final Optional<String> outputDir;
  private final String comeBack;
  private final SaidEvents sink;
  private final InstantSource clock;

  /**
   * For one log.
   *
   * @param scripts of its host, which stays the caller's to close
   * @param log its absolute path there
   * @param extractor what the job's program is, if the user said so
   * @param outputDir where the job saves, if the user said so
   * @param comeBack the command that does the same again
   */
  LogPathFollower(
      HostScripts scripts,
      String log,
      Optional<Extractor> extractor,
      Optional<String> outputDir,
      String comeBack,
      EventSink sink,
      InstantSource clock) {
    this.scripts = scripts;
    this.log = log;
    this.extractor = extractor;
    this.outputDir = outputDir;
    this.comeBack = comeBack;
    this.sink = new SaidEvents(sink);
    this.clock = clock;
  }

  /**
   * Follows it until nobody writes to it; blocks.
   *
   * @param first a look at it, of which the caller knows that it is a log
   * @param from byte to begin with
   * @param stopper gets what makes this return soon
   * @throws IOException when the connection is gone
   */
  Exit follow(LogLook first, long from, Consumer<Runnable> stopper) throws IOException {
    Instant started = clock.instant();
    Optional<HandStartedJob> job =
        HandStartedJob.find(first, scripts.host().name(), log, extractor, outputDir);
    LogRules rules =
        job.map(HandStartedJob::extractor)
            .or(() -> extractor)
            .orElseGet(HandStartedJob::usual)
            .log();
    sayWriters(first, rules);
    job.ifPresent(known -> check("output-dir", "note", known.says()));
    LogWatcher watcher =
        new LogWatcher(scripts, log, rules, sink, job.map(HandStartedJob::samples));
    stopper.accept(watcher::stop);
    LogWatched watched = watch(watcher, first, from);
    if (watched.end().isEmpty()) {
      sink.emit(new Event.Hint("the job goes on; come back with", comeBack));
      return Exit.STOPPED_WATCHING;
    }
    Exit ofLog = explain(watched, from, rules);
    Optional<Exit> ofSamples =
        job.isEmpty() ? Optional.empty() : Optional.of(verify(job.get().samples(), started));
    return Exit.first(ofSamples.map(exit -> List.of(ofLog, exit)).orElse(List.of(ofLog)));
  }

  private LogWatched watch(LogWatcher watcher, LogLook first, long from) {
    try {
      return watcher.watch(first, from);
    } catch (Failure failure) {
      throw failure.exit() == Exit.LOST ? failure.orTry(comeBack) : failure;
    }
  }

  private void sayWriters(LogLook look, LogRules rules) {
    if (look.isHeld()) {
      // The one that was there first has started the others, most often.
      HostProcess oldest =
          Collections.min(look.writers(), Comparator.comparingLong(HostProcess::startTicks));
      int more = look.writers().size() - 1;
      check(
          "log-writers",
          "ok",
          "written by "
              + oldest.says()
              + (more == 0 ? "" : " and " + more + (more == 1 ? " other" : " others"))
              + ", running for "
              + Units.duration(oldest.ageSeconds()));
    } else if (look.mayBeWrittenUnseen()) {
      long silence = LogWatcher.longestSilence(rules).toSeconds();
      check(
          "log-writers",
          "note",
          "who writes to it cannot be seen ("
              + unseen(look)
              + "): it is followed until it says that the job is done, or has not been written for "
              + Units.duration(silence));
    }
  }

  private static String unseen(LogLook look) {
    return look.someAreHidden()
        ? "the user " + Printable.line(look.user(), 40) + " may not look into processes of others"
        : "its file system may be that of other hosts too";
  }

  private Exit explain(LogWatched watched, long from, LogRules rules) throws IOException {
    Set<String> milestones = new HashSet<>(watched.milestones());
    LogReader whole = watched.log();
    if (from > 0) {
      whole =
          EndedLogReader.read(
              scripts.host(),
              log,
              rules,
              event -> {
                if (event instanceof Event.Milestone milestone) {
                  milestones.add(milestone.name());
                }
              });
    }
    boolean mayGoOn = mayGoOn(watched, rules);
    check(
        "ended",
        mayGoOn ? "warning" : "ok",
        says(watched, mayGoOn, LogExplainer.isDone(milestones)));
    Exit exit = new LogExplainer(sink).explain(log, whole, rules, milestones, mayGoOn);
    if (exit == Exit.STOPPED_WATCHING) {
      sink.emit(new Event.Hint("if it goes on, come back with", comeBack));
    }
    return exit;
  }

  /** Whether somebody may write to it who could not be seen. */
  private static boolean mayGoOn(LogWatched watched, LogRules rules) {
    LogLook last = watched.last();
    Duration silence = LogWatcher.longestSilence(rules);
    return switch (watched.end().orElseThrow()) {
      case WRITERS_GONE -> false;
      case NOBODY_WRITES -> last.isContainer() && last.stillSeconds() < silence.toSeconds();
      case LONG_STILL -> true;
    };
  }

  private static String says(LogWatched watched, boolean mayGoOn, boolean sawDone) {
    LogLook last = watched.last();
    String still =
        last.is() == LogLook.Is.LOG
            ? "it was last written " + Units.duration(last.stillSeconds()) + " ago"
            : "it is not there any more";
    String what =
        watched.end().orElseThrow() == LogEnd.WRITERS_GONE
            ? "the job has ended: no process has the log open for writing any more"
            : mayGoOn
                ? "nobody that can be seen writes to the log, and "
                    + still
                    + "; that is no proof"
                    + " that the job has ended"
                : "no process has the log open for writing, and " + still;
    return what
        + (sawDone ? "; it says that the work is done" : "")
        + "; an exit code is not known";
  }

  private Exit verify(SampleWatch samples, Instant started) throws IOException {
    String folder = samples.plan().outputDir();
    String shown = scripts.host().name() + ":" + folder;
    try {
      Diagnosis diagnosis =
          new Diagnoser(
                  scripts.host().files(), FolderVerifier.IN_FLIGHT_REMOTE, sink.withoutRepeats())
              .diagnose(List.of(folder), samples.sources());
      long seconds = Duration.between(started, clock.instant()).toSeconds();
      sink.emit(diagnosis.result().summary(seconds, shown));
      return diagnosis.exit();
    } catch (IOException lost) {
      throw Failure.of(
              Exit.LOST,
              scripts.host().name(),
              "the connection was lost while the files were verified: " + lost.getMessage())
          .orTry(scripts.comeBack("verify-shapes " + folder))
          .causedBy(lost);
    }
  }

  private void check(String name, String verdict, String says) {
    sink.emit(new Event.Check("run", name, verdict, says));
  }
}
