package dev.eagle3.watch;

import dev.eagle3.cause.LogExplainer;
import dev.eagle3.extractor.LogMilestone;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.HostProcess;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.run.RunState;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the log of a job that eagle3 did not launch: the log becomes events as it is written, by
 * byte offset, and every second it is asked who has it open for writing. It ends when nobody has,
 * and the log was read to the byte that it had by then. For one watch; only {@link #stop} and
 * {@link #offset} are for other threads.
 */
public final class LogWatcher {
  private static final Duration LOOK_PAUSE = Duration.ofSeconds(1);
  private static final Duration READ_PAUSE = Duration.ofMillis(200);

  /** As in {@link RunWatcher}. */
  private static final Duration STREAM_PATIENCE = Duration.ofSeconds(3);

  /**
   * The state of a job whose processes cannot be seen: its samples may be written from anywhere.
   */
  private static final RunState UNSEEN = new RunState.Elsewhere("another place", 0);

  private final HostScripts scripts;
  private final String log;
  private final EventSink sink;
  private final BlockingQueue<WatchMessage> messages = new ArrayBlockingQueue<>(64);
  private final LogTail tail;
  private final Optional<WatchedSamples> samples;
  private final LogEndJudge judge;
  private volatile List<Long> writers = List.of();
  private final Set<String> milestones = new HashSet<>();
  private volatile boolean stopped;

  /**
   * A watch of one log.
   *
   * @param scripts of its host, which stays the caller's to close
   * @param log its absolute path there
   * @param sink gets the events, from the thread that watches
   * @param samples what the job saves, if that is known: looked at as it appears
   */
  public LogWatcher(
      HostScripts scripts,
      String log,
      LogRules rules,
      EventSink sink,
      Optional<SampleWatch> samples) {
    this.scripts = scripts;
    this.log = log;
    this.sink = sink;
    this.samples =
        samples.map(
            wanted -> new WatchedSamples(scripts, Optional.empty(), wanted, sink, messages));
    this.tail = new LogTail(scripts, log, rules, this::listen, messages);
    this.judge = new LogEndJudge(longestSilence(rules));
  }

  /** The longest that a job of these rules says nothing. */
  public static Duration longestSilence(LogRules rules) {
    return rules.milestones().stream()
        .map(LogMilestone::quiet)
        .reduce(LogMilestone.QUIET, (one, other) -> one.compareTo(other) > 0 ? one : other);
  }

  /**
   * Watches until nobody writes to the log, {@link #stop} is called or this thread is interrupted.
   *
   * @param first a look at it, of which the caller knows that it is a log
   * @param from byte of the log to begin with
   * @throws Failure {@code LOST} when the connection went away: {@link #offset} says where to begin
   *     again
   */
  public LogWatched watch(LogLook first, long from) {
    long begin = Math.min(from, first.bytes());
    Optional<LogEnd> end = note(first);
    if (end.isPresent()) {
      tail.begin(begin);
      return finish(end.get(), first);
    }
    samples.ifPresent(watch -> watch.start(state(first)));
    try (StatePoller poller =
        StatePoller.start(this::look, message -> false, LOOK_PAUSE, messages)) {
      tail.beginStream(begin);
      return follow(first, poller);
    } finally {
      tail.closeStream();
      samples.ifPresent(WatchedSamples::close);
    }
  }

  /** Makes {@link #watch} return soon, the job untouched. */
  public void stop() {
    stopped = true;
    scripts.host().stopReconnecting();
    messages.offer(new WatchMessage.Stop());
  }

  /** How many bytes of the log were read, from its start. */
  public long offset() {
    return tail.offset();
  }

  private LogWatched follow(LogLook first, StatePoller poller) {
    LogLook look = first;
    LogLook there = first;
    while (!stopped) {
      WatchMessage message = next();
      if (message instanceof WatchMessage.LogLooked looked) {
        checkLog(there, looked);
        look = looked.look();
        there = look.is() == LogLook.Is.LOG ? look : there;
        Optional<LogEnd> end = note(look);
        if (end.isPresent()) {
          poller.close();
          return finish(end.get(), look);
        }
      } else if (message instanceof WatchMessage.Failed failed) {
        throw lost(failed.failure());
      } else {
        tail.accept(message);
      }
      RunState state = state(look);
      samples.ifPresent(watch -> watch.look(message, state));
      if (!tail.isStreaming()) {
        tail.readPieces(Long.MAX_VALUE, () -> stopped);
      }
    }
    return new LogWatched(Optional.empty(), look, tail.reader(), milestones);
  }

  private WatchMessage look() {
    long before = offset();
    return new WatchMessage.LogLooked(LogLooker.look(scripts, log, writers), before);
  }

  private Optional<LogEnd> note(LogLook look) {
    if (!look.writers().isEmpty()) {
      writers = look.writers().stream().map(HostProcess::pid).toList();
    }
    LogReader read = tail.reader();
    boolean failed = read.firstFailure().isPresent() || read.uncaught().isPresent();
    return judge.judge(look, LogExplainer.isDone(milestones) || failed);
  }

  private void listen(Event event) {
    if (event instanceof Event.Milestone milestone) {
      milestones.add(milestone.name());
    }
    sink.emit(event);
  }

  private static RunState state(LogLook look) {
    if (look.still() >= 0) {
      return new RunState.Running(look.still());
    }
    return look.writers().isEmpty() ? UNSEEN : new RunState.Running(look.writers().get(0).pid());
  }

  /** Reads the log to the end that it had when nobody wrote to it any more. */
  private LogWatched finish(LogEnd end, LogLook look) {
    long patienceEnds = System.nanoTime() + STREAM_PATIENCE.toNanos();
    while (tail.isStreaming() && tail.offset() < look.bytes() && !stopped) {
      if (!tail.accept(next()) && System.nanoTime() - patienceEnds > 0) {
        tail.closeStream();
      }
    }
    tail.closeStream();
    if (tail.offset() < look.bytes()) {
      tail.readPieces(look.bytes(), () -> stopped);
    }
    long before = -1;
    // Where it cannot be read though the line stands, that was said.
    while (tail.offset() < look.bytes() && tail.isReadable() && !stopped) {
      if (tail.offset() == before) {
        throw lost(Failure.of(Exit.LOST, log, "brings nothing more"));
      }
      before = tail.offset();
      try {
        look();
      } catch (Failure failure) {
        throw lost(failure);
      }
      tail.readPieces(look.bytes(), () -> stopped);
    }
    tail.reader().finish();
    return new LogWatched(
        stopped ? Optional.empty() : Optional.of(end), look, tail.reader(), milestones);
  }

  private @Nullable WatchMessage next() {
    try {
      Duration pause = tail.isStreaming() ? LOOK_PAUSE : READ_PAUSE;
      return messages.poll(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      stopped = true;
      return null;
    }
  }

  /** A log that was cut or replaced is most often that of the same line, started once more. */
  private void checkLog(LogLook before, WatchMessage.LogLooked looked) {
    LogLook now = looked.look();
    long read = Math.min(looked.readBefore(), tail.offset());
    boolean other =
        !now.identity().isEmpty()
            && !before.identity().isEmpty()
            && !now.identity().equals(before.identity());
    if (now.bytes() >= 0 && (now.bytes() < read || other)) {
      tail.reader().finish();
      sink.emit(
          new Event.Found(
              new Finding(
                  "log.replaced",
                  Severity.WARNING,
                  log,
                  "a log that only grows",
                  other
                      ? "another file where " + read + " bytes had been read"
                      : now.bytes() + " bytes where " + read + " had been read",
                  List.of("somebody began it anew; it is read from its start"))));
      milestones.clear();
      tail.beginStream(0);
    }
  }

  private Failure lost(Failure failure) {
    return failure.exit() == Exit.LOST
        ? Failure.of(
                Exit.LOST,
                scripts.host().name(),
                "the connection was lost; whoever writes to " + log + " goes on there")
            .causedBy(failure)
        : failure;
  }
}
