package dev.eagle3.watch;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.run.EndNote;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import java.time.Duration;
import java.util.List;
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

  private final HostScripts scripts;
  private final RunFolder folder;
  private final EventSink sink;
  private final BlockingQueue<WatchMessage> messages = new ArrayBlockingQueue<>(64);

  private final LogTail tail;
  private final Optional<WatchedSamples> samples;
  private final Optional<WatchedSilence> silence;
  private Optional<NoteTeller> notes = Optional.empty();
  private volatile boolean stopped;
  private volatile boolean ended;

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
    this.tail = new LogTail(scripts, folder.log(), rules, ofLog, messages);
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
    RunStatus first = state();
    boolean looksAtSamples =
        samples.filter(watch -> !first.state().hasEnded() || watch.goesToTheEnd()).isPresent();
    notes = Optional.of(new NoteTeller(sink, !looksAtSamples));
    long begin = first.logBytes() < from ? replaced(first, from) : from;
    if (first.state().hasEnded()) {
      tail.begin(begin);
      samples.filter(WatchedSamples::goesToTheEnd).ifPresent(watch -> lookAtAll(watch, first));
      return finish(first);
    }
    samples.ifPresent(watch -> watch.start(first.state()));
    silence.ifPresent(watch -> watch.begin(first));
    try (StatePoller poller =
        StatePoller.start(this::answer, RunWatcher::isLast, STATE_PAUSE, messages)) {
      tail.beginStream(begin);
      return follow(first, poller);
    } finally {
      tail.closeStream();
      samples.ifPresent(WatchedSamples::close);
    }
  }

  /** Makes {@link #watch} return soon, the run untouched. */
  public void stop() {
    stopped = true;
    scripts.host().stopReconnecting();
    // Only to wake it up: when the queue is full, it is awake.
    messages.offer(new WatchMessage.Stop());
  }

  /** How many bytes of the log were read, from its start: where to begin again. */
  public long offset() {
    return tail.offset();
  }

  private Watched follow(RunStatus first, StatePoller poller) {
    RunStatus status = first;
    while (!stopped) {
      WatchMessage message = next();
      if (message instanceof WatchMessage.Answered answer) {
        checkLog(status, answer);
        status = answer.status();
      } else if (message instanceof WatchMessage.Failed failed) {
        throw failed.failure();
      } else if (message instanceof WatchMessage.RunEnded || isAlone(message, status)) {
        status = state();
      } else {
        tail.accept(message);
      }
      RunState state = status.state();
      tellNotes(status);
      silence.ifPresent(watch -> watch.look(message, state));
      boolean ending = samples.isPresent() && samples.get().look(message, state);
      if (state.hasEnded() && !ending) {
        poller.close();
        return finish(status);
      }
      if (!tail.isStreaming()) {
        tail.readPieces(Long.MAX_VALUE, () -> stopped);
      }
    }
    return watched(status, true);
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
  private Watched finish(RunStatus status) {
    ended = true;
    long patienceEnds = System.nanoTime() + STREAM_PATIENCE.toNanos();
    while (tail.isStreaming() && tail.offset() < status.logBytes() && !stopped) {
      if (!tail.accept(next()) && System.nanoTime() - patienceEnds > 0) {
        tail.closeStream();
      }
    }
    tail.closeStream();
    if (tail.offset() < status.logBytes()) {
      tail.readPieces(status.logBytes(), () -> stopped);
    }
    if (tail.offset() < status.logBytes() && !stopped) {
      // Either the log cannot be read, which was said, or the connection is gone, which this says.
      state();
    }
    tail.reader().finish();
    tellNotes(status);
    sink.emit(status.state().toEvent(folder.run()));
    return watched(status, false);
  }

  private void tellNotes(RunStatus status) {
    notes.ifPresent(teller -> teller.tell(status));
  }

  private Watched watched(RunStatus status, boolean goesOn) {
    Optional<String> endedSince =
        samples
            .flatMap(watch -> watch.endedSince(status.state()))
            .or(() -> status.endedSince().map(EndNote::since));
    return new Watched(status, goesOn, tail.reader(), endedSince);
  }

  private @Nullable WatchMessage next() {
    try {
      Duration pause = tail.isStreaming() ? STATE_PAUSE : READ_PAUSE;
      return messages.poll(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      stopped = true;
      return null;
    }
  }

  private WatchMessage answer() {
    long before = offset();
    return new WatchMessage.Answered(state(), before);
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

  /**
   * Begins anew where a log was cut or replaced: what the stream brings then is not what is there.
   */
  private void checkLog(RunStatus before, WatchMessage.Answered answer) {
    RunStatus now = answer.status();
    // After a new beginning an older answer may still be on its way.
    long read = Math.min(answer.readBefore(), tail.offset());
    boolean other =
        !now.logIdentity().isEmpty()
            && !before.logIdentity().isEmpty()
            && !now.logIdentity().equals(before.logIdentity());
    if (now.logBytes() >= 0 && (now.logBytes() < read || other)) {
      tail.reader().finish();
      tail.beginStream(replaced(now, read));
    }
  }

  private long replaced(RunStatus now, long read) {
    long size = Math.max(0, now.logBytes());
    sink.emit(
        new Event.Found(
            new Finding(
                "log.replaced",
                Severity.WARNING,
                folder.log(),
                "a log that only grows",
                size + " bytes where " + read + " had been read",
                List.of("somebody cut it or put another file there; reading goes on at its end"))));
    return size;
  }

  private Failure lost(Failure failure) {
    String host = scripts.host().name();
    String what = ended ? " has ended, its log was not read to the end" : " goes on there";
    return Failure.of(Exit.LOST, host, "the connection was lost; run " + folder.run() + what)
        .orTry(scripts.comeBack("tail-log " + folder.run()))
        .causedBy(failure);
  }
}
