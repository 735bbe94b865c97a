package dev.eagle3.watch;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.AwakeTime;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.run.EndNote;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches one run: its log becomes events as it is written, and its state is asked every second. It
 * ends when the run has ended and its log was read to the byte that it ended with. For one watch;
 * only {@link #stop} and {@link #offset} are for other threads.
 *
 * <p>Whether the connection stands is for the state to tell, and never for the log.
 */
public final class RunWatcher {
  private static final Duration STATE_PAUSE = Duration.ofSeconds(1);
  private static final Duration READ_PAUSE = Duration.ofMillis(200);

  /** A stream that has not brought the end of the log by then will not: the rest is read. */
  private static final Duration STREAM_PATIENCE = Duration.ofSeconds(3);

  /** A line that is lost so often before it brings a byte of the log brings none. */
  private static final int MOST_READS_IN_VAIN = 10;

  private final HostScripts scripts;
  private final RunFolder folder;
  private final EventSink sink;
  private final BlockingQueue<WatchMessage> messages = new ArrayBlockingQueue<>(64);

  private final FollowedLog log;
  private final Optional<WatchedSamples> samples;
  private final Optional<WatchedSilence> silence;
  private Optional<NoteTeller> notes = Optional.empty();
  private volatile boolean stopped;
  private volatile boolean ended;
  private volatile @Nullable RunStatus status;
  private final Hurry hurry = new Hurry();

  /**
   * A watch of one run.
   *
   * @param scripts of its host, which stays the caller's to close
   * @param sink gets the events, from the thread that watches
   */
  public RunWatcher(HostScripts scripts, RunFolder folder, LogRules rules, EventSink sink) {
    this(scripts, folder, rules, sink, Optional.empty());
  }

  /** As the other, and looks at samples as they are saved, if that is wanted. */
  public RunWatcher(
      HostScripts scripts,
      RunFolder folder,
      LogRules rules,
      EventSink sink,
      Optional<SampleWatch> samples) {
    this.scripts = scripts;
    this.folder = folder;
    this.sink = sink;
    this.samples =
        samples.map(
            wanted -> new WatchedSamples(scripts, Optional.of(folder), wanted, sink, messages));
    // Without a look at samples nobody knows whether a run is silent.
    this.silence = samples.map(any -> new WatchedSilence(scripts, folder, rules, sink, messages));
    EventSink ofLog = silence.map(watch -> watch.listening(this::offset)).orElse(sink);
    this.log = new FollowedLog(scripts, folder, rules, ofLog, messages, () -> stopped);
  }

  /**
   * Watches until the run has ended, {@link #stop} is called or this thread is interrupted. Emits
   * the events of the log and of samples, and at last the final state; no state when stopped.
   *
   * @param from byte of the log to begin with
   * @throws Failure {@code LOST} when the connection went away: the run goes on, and {@link
   *     #offset} says where to begin again; {@code REFUSED} when there is no such run
   */
  public Watched watch(long from) {
    status = null;
    hurry.begin();
    try {
      return watchFrom(from);
    } catch (Failure failure) {
      RunStatus last = status;
      if (stopped && last != null) {
        return watched(last, true);
      }
      throw failure;
    } finally {
      hurry.end();
    }
  }

  private Watched watchFrom(long from) {
    RunStatus first = state();
    status = first;
    log.begin(first, from);
    boolean looksAtSamples =
        samples.filter(watch -> !first.state().hasEnded() || watch.goesToTheEnd()).isPresent();
    notes = Optional.of(new NoteTeller(sink, !looksAtSamples));
    if (first.state().hasEnded()) {
      samples.filter(WatchedSamples::goesToTheEnd).ifPresent(watch -> lookAtAll(watch, first));
      return finish(first);
    }
    samples.ifPresent(watch -> watch.start(first.state()));
    silence.ifPresent(watch -> watch.begin(first));
    try (StatePoller poller =
        StatePoller.start(this::answer, RunWatcher::isLast, STATE_PAUSE, messages)) {
      log.stream();
      return follow(first, poller);
    } finally {
      log.closeStream();
      samples.ifPresent(WatchedSamples::close);
    }
  }

  /** Makes {@link #watch} return soon, the run untouched, whatever it waits for. */
  public void stop() {
    stopped = true;
    scripts.host().stopReconnecting();
    // Only to wake it up: when the queue is full, it is awake.
    messages.offer(new WatchMessage.Stop());
    hurry.interruptSoon();
  }

  /** How many bytes of the log were read, from its start: where to begin again. */
  public long offset() {
    return log.offset();
  }

  private Watched follow(RunStatus first, StatePoller poller) {
    RunStatus now = first;
    while (!stopped) {
      WatchMessage message = next();
      if (message instanceof WatchMessage.Answered answer) {
        log.check(answer);
        now = answer.status();
      } else if (message instanceof WatchMessage.Failed failed) {
        throw failed.failure();
      } else if (message instanceof WatchMessage.RunEnded || isAlone(message, now)) {
        now = state();
      } else {
        log.accept(message);
      }
      status = now;
      RunState state = now.state();
      tellNotes(now);
      silence.ifPresent(watch -> watch.look(message, state));
      boolean ending = samples.isPresent() && samples.get().look(message, state);
      if (state.hasEnded() && !ending) {
        poller.close();
        return finish(now);
      }
      log.goOn();
    }
    return watched(now, true);
  }

  /**
   * Nothing comes, and nobody asks for the state any more: only this tells of a lost connection.
   */
  private static boolean isAlone(@Nullable WatchMessage message, RunStatus status) {
    return message == null && status.state().hasEnded();
  }

  private void lookAtAll(WatchedSamples watch, RunStatus status) {
    try {
      watch.start(status.state());
      WatchMessage message = null;
      while (watch.look(message, status.state()) && !stopped) {
        message = next();
        if (isAlone(message, status)) {
          state();
        }
      }
    } finally {
      watch.close();
    }
  }

  /** The run has ended: reads its log to the end that it had by then. */
  private Watched finish(RunStatus last) {
    ended = true;
    readStream(last);
    log.readToTheEnd(last);
    readOverLosses(last);
    log.reader().finish();
    tellNotes(last);
    sink.emit(last.state().toEvent(folder.run()));
    return watched(last, false);
  }

  /** A line that breaks all the time may carry a stream, and no block of a file. */
  private void readOverLosses(RunStatus asked) {
    RunStatus last = asked;
    int inVain = 0;
    // Where it cannot be read though the line stands, that was said.
    while (log.isToBeRead(last) && !stopped) {
      if (inVain == MOST_READS_IN_VAIN) {
        throw lost(Failure.of(Exit.LOST, scripts.host().name(), "it is lost again and again"));
      }
      long before = log.offset();
      // This says when it is gone for good, or when the log is not what it was.
      last = state();
      if (log.isToBeRead(last)) {
        log.stream();
        readStream(last);
        if (log.offset() == before) {
          log.readToTheEnd(last);
        }
      }
      inVain = log.offset() > before ? 0 : inVain + 1;
    }
  }

  private void readStream(RunStatus last) {
    long patienceEnds = AwakeTime.nanos() + STREAM_PATIENCE.toNanos();
    while (log.isStreaming() && !log.isWhole(last) && !stopped) {
      if (log.accept(next())) {
        patienceEnds = AwakeTime.nanos() + STREAM_PATIENCE.toNanos();
      } else if (AwakeTime.nanos() - patienceEnds > 0) {
        log.closeStream();
      }
    }
  }

  private void tellNotes(RunStatus now) {
    notes.ifPresent(teller -> teller.tell(now));
  }

  private Watched watched(RunStatus last, boolean goesOn) {
    Optional<String> endedSince =
        samples
            .flatMap(watch -> watch.endedSince(last.state()))
            .or(() -> last.endedSince().map(EndNote::since));
    return new Watched(last, goesOn, log.reader(), endedSince);
  }

  private @Nullable WatchMessage next() {
    try {
      Duration pause = log.isStreaming() ? STATE_PAUSE : READ_PAUSE;
      return messages.poll(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      stopped = true;
      return null;
    }
  }

  private WatchMessage answer() {
    long before = offset();
    long askedAt = System.nanoTime();
    return new WatchMessage.Answered(state(), before, askedAt);
  }

  private static boolean isLast(WatchMessage message) {
    return message instanceof WatchMessage.Answered answer && answer.status().state().hasEnded();
  }

  /** Throws {@code LOST} as {@link #watch} says. */
  private RunStatus state() {
    try {
      return RunStateReader.read(scripts, Optional.of(folder.stateDir()), folder.run().text());
    } catch (Failure failure) {
      throw failure.exit() == Exit.LOST ? lost(failure) : failure;
    }
  }

  private Failure lost(Failure failure) {
    String host = scripts.host().name();
    String what = ended ? " has ended, its log was not read to the end" : " goes on there";
    return Failure.of(Exit.LOST, host, "the connection was lost; run " + folder.run() + what)
        .orTry(scripts.comeBack("tail-log " + folder.run()))
        .causedBy(failure);
  }
}
