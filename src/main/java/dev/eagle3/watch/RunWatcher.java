package dev.eagle3.watch;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.files.ByteRange;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import java.io.IOException;
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
 * <p>The log comes as a stream. Where the host streams nothing (any more), it is read piece by
 * piece through the host's files; whether the connection stands is for the state to tell.
 */
public final class RunWatcher {
  private static final Duration STATE_PAUSE = Duration.ofSeconds(1);
  private static final Duration READ_PAUSE = Duration.ofMillis(200);

  /** A stream that has not brought the end of the log by then will not: the rest is read. */
  private static final Duration STREAM_PATIENCE = Duration.ofSeconds(3);

  private static final int PIECE_BYTES = 1 << 20;

  private final HostScripts scripts;
  private final RunFolder folder;
  private final LogRules rules;
  private final EventSink sink;
  private final BlockingQueue<WatchMessage> messages = new ArrayBlockingQueue<>(64);

  private volatile boolean stopped;
  private volatile long offset;
  private LogReader reader;
  private @Nullable LogStream stream;
  private boolean readable = true;
  private volatile boolean ended;

  /**
   * A watch of one run.
   *
   * @param scripts of its host, which stays the caller's to close
   * @param sink gets the events, from the thread that watches
   */
  public RunWatcher(HostScripts scripts, RunFolder folder, LogRules rules, EventSink sink) {
    this.scripts = scripts;
    this.folder = folder;
    this.rules = rules;
    this.sink = sink;
    this.reader = new LogReader(rules, 0, sink);
  }

  /**
   * Watches until the run has ended, {@link #stop} is called or this thread is interrupted. Emits
   * the events of the log and at last the final state; no state when stopped.
   *
   * @param from byte of the log to begin with
   * @throws Failure {@code LOST} when the connection went away: the run goes on, and {@link
   *     #offset} says where to begin again; {@code REFUSED} when there is no such run
   */
  public Watched watch(long from) {
    RunStatus first = state();
    long begin = first.logBytes() < from ? replaced(first, from) : from;
    if (first.state().hasEnded()) {
      beginReading(begin);
      return finish(first);
    }
    try (StatePoller poller = StatePoller.start(this::state, this::offset, STATE_PAUSE, messages)) {
      beginStream(begin);
      return follow(first, poller);
    } finally {
      closeStream();
    }
  }

  /** Makes {@link #watch} return soon, the run untouched. */
  public void stop() {
    stopped = true;
    // Only to wake it up: when the queue is full, it is awake.
    messages.offer(new WatchMessage.Stop());
  }

  /** How many bytes of the log were read, from its start: where to begin again. */
  public long offset() {
    return offset;
  }

  private Watched follow(RunStatus first, StatePoller poller) {
    RunStatus status = first;
    while (!stopped) {
      WatchMessage message = next();
      if (message instanceof WatchMessage.Bytes bytes && bytes.from() == stream) {
        accept(bytes.bytes());
      } else if (message instanceof WatchMessage.StreamEnded end && end.from() == stream) {
        closeStream();
      } else if (message instanceof WatchMessage.Answered answer) {
        checkLog(status, answer);
        status = answer.status();
        if (status.state().hasEnded()) {
          poller.close();
          return finish(status);
        }
      } else if (message instanceof WatchMessage.Failed failed) {
        throw failed.failure();
      }
      if (stream == null) {
        readPieces(Long.MAX_VALUE);
      }
    }
    return new Watched(status, true, reader);
  }

  /** The run has ended: reads its log to the end that it had by then. */
  private Watched finish(RunStatus status) {
    ended = true;
    long patienceEnds = System.nanoTime() + STREAM_PATIENCE.toNanos();
    while (stream != null && offset < status.logBytes() && !stopped) {
      WatchMessage message = next();
      if (message instanceof WatchMessage.Bytes bytes && bytes.from() == stream) {
        accept(bytes.bytes());
      } else if (message instanceof WatchMessage.StreamEnded end && end.from() == stream) {
        closeStream();
      } else if (System.nanoTime() - patienceEnds > 0) {
        closeStream();
      }
    }
    closeStream();
    if (offset < status.logBytes()) {
      readPieces(status.logBytes());
    }
    if (offset < status.logBytes() && !stopped) {
      // Either the log cannot be read, which was said, or the connection is gone, which this says.
      state();
    }
    reader.finish();
    sink.emit(status.state().toEvent(folder.run()));
    return new Watched(status, false, reader);
  }

  private @Nullable WatchMessage next() {
    try {
      Duration pause = stream == null ? READ_PAUSE : STATE_PAUSE;
      return messages.poll(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      stopped = true;
      return null;
    }
  }

  /** Throws {@code LOST} as {@link #watch} says. */
  private RunStatus state() {
    try {
      return RunStateReader.read(scripts, Optional.of(folder.stateDir()), folder.run().text());
    } catch (Failure failure) {
      throw failure.exit() == Exit.LOST ? lost(failure) : failure;
    }
  }

  private void beginReading(long from) {
    closeStream();
    offset = from;
    reader = new LogReader(rules, from, sink);
  }

  /** Starts to follow the log at a byte that it has. */
  private void beginStream(long from) {
    beginReading(from);
    try {
      stream = LogStream.start(scripts, folder.log(), from, messages);
    } catch (Failure notStarted) {
      // The host may allow no further channel. If it is gone, the state cannot be asked either.
      stream = null;
    }
  }

  private void accept(byte[] bytes) {
    reader.accept(bytes, bytes.length);
    offset = reader.offset();
  }

  /**
   * Begins anew where a log was cut or replaced: what the stream brings then is not what is there.
   */
  private void checkLog(RunStatus before, WatchMessage.Answered answer) {
    RunStatus now = answer.status();
    // After a new beginning an older answer may still be on its way.
    long read = Math.min(answer.readBefore(), offset);
    boolean other =
        !now.logIdentity().isEmpty()
            && !before.logIdentity().isEmpty()
            && !now.logIdentity().equals(before.logIdentity());
    if (now.logBytes() >= 0 && (now.logBytes() < read || other)) {
      reader.finish();
      beginStream(replaced(now, read));
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

  /** Reads what the log has, up to a byte; says it once when that cannot be. */
  private void readPieces(long end) {
    try {
      int count = PIECE_BYTES;
      while (count == PIECE_BYTES && offset < end && !stopped) {
        int wanted = (int) Math.min(PIECE_BYTES, end - offset);
        byte[] piece =
            scripts
                .host()
                .files()
                .read(folder.log(), List.of(new ByteRange(offset, wanted)))
                .get(0);
        accept(piece);
        count = piece.length;
      }
      readable = true;
    } catch (IOException unreadable) {
      if (readable) {
        sink.emit(new Event.Found(unreadable(unreadable)));
      }
      readable = false;
    }
  }

  private Finding unreadable(IOException why) {
    return Finding.of(
        "log.unreadable",
        Severity.WARNING,
        folder.log(),
        "a log that can be read",
        String.valueOf(why.getMessage()));
  }

  private Failure lost(Failure failure) {
    String host = scripts.host().name();
    String what = ended ? " has ended, its log was not read to the end" : " goes on there";
    return Failure.of(Exit.LOST, host, "the connection was lost; run " + folder.run() + what)
        .orTry("eagle3 tail-log " + folder.run() + " --host " + host)
        .causedBy(failure);
  }

  private void closeStream() {
    if (stream != null) {
      stream.close();
      stream = null;
    }
  }
}
