package dev.eagle3.watch;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.AwakeTime;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.run.MovedLog;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of a run that is watched: which file it is, how far it was read, and how to go on after a
 * lost connection or when somebody cuts, moves or replaces it. For the thread that watches; only
 * {@link #offset} is for other threads.
 */
final class FollowedLog {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final HostScripts scripts;
  private final RunFolder folder;
  private final EventSink sink;
  private final LogTail tail;
  private final BooleanSupplier stopped;

  private String identity = "";
  private Optional<MovedLog> moved = Optional.empty();

  /** Since when no stream brings it and nobody has looked whether it is still the same. */
  private long unsureSince;

  private boolean sure = true;
  private Duration pause = FIRST_PAUSE;
  private long nextStream;

  /** Whether the last stream brought anything: one that did not is not started again at once. */
  private boolean brought;

  FollowedLog(
      HostScripts scripts,
      RunFolder folder,
      LogRules rules,
      EventSink sink,
      BlockingQueue<WatchMessage> messages,
      BooleanSupplier stopped) {
    this.scripts = scripts;
    this.folder = folder;
    this.sink = sink;
    this.stopped = stopped;
    this.tail = new LogTail(scripts, folder.log(), rules, sink, messages);
  }

  /** Begins at a byte, in the state that the run has then. */
  void begin(RunStatus first, long from) {
    identity = first.logIdentity();
    follow(first.movedLog());
    if (first.logBytes() < from) {
      sayReplaced(first, from);
      tail.goOnAt(0, false);
    } else {
      tail.goOnAt(from, false);
    }
  }

  /** Has it brought by a stream from where it stands, if the host does that. */
  void stream() {
    tail.startStream();
  }

  /** Takes what a stream brought; false for a message of none, or of an older one. */
  boolean accept(@Nullable WatchMessage message) {
    boolean streaming = tail.isStreaming();
    boolean taken = tail.accept(message);
    brought |= taken && message instanceof WatchMessage.Bytes;
    if (streaming && !tail.isStreaming()) {
      sure = false;
      unsureSince = System.nanoTime();
    }
    return taken;
  }

  /** Compares what is there with what was read; where it was cut or replaced, it is begun anew. */
  void check(WatchMessage.Answered answer) {
    RunStatus now = answer.status();
    boolean forgotten = moved.isPresent() && now.movedLog().isEmpty();
    boolean same = now.logIdentity().equals(identity);
    if (forgotten && !same) {
      // Its wrapper is gone, and with it who knew where the log is.
      return;
    }
    if (!now.movedLog().equals(moved)) {
      follow(now.movedLog());
    }
    // After a new beginning an older answer may still be on its way.
    long read = Math.min(answer.readBefore(), tail.offset());
    boolean other = !same && !identity.isEmpty() && !now.logIdentity().isEmpty();
    identity = now.logIdentity().isEmpty() ? identity : now.logIdentity();
    if (now.logBytes() >= 0 && (now.logBytes() < read || other)) {
      beginAnew(now, read, other);
    } else if (now.logBytes() >= 0) {
      tail.confirm(read);
    }
    sure |= answer.askedAt() - unsureSince > 0;
  }

  /** Reads on where no stream does, once it is known that it is still the same log. */
  void goOn() {
    if (tail.isStreaming() || !sure || !scripts.host().isConnected()) {
      return;
    }
    long now = AwakeTime.nanos();
    if (brought || now - nextStream >= 0) {
      pause = brought ? FIRST_PAUSE : least(pause.multipliedBy(2), LONGEST_PAUSE);
      nextStream = now + pause.toNanos();
      brought = false;
      if (tail.startStream()) {
        return;
      }
    }
    tail.readPieces(Long.MAX_VALUE, stopped);
  }

  /** Whether all of it is read that there is when its run has ended. */
  boolean isWhole(RunStatus last) {
    return !isElsewhere(last) && tail.offset() >= last.logBytes();
  }

  /** Whether something is missing that could be read. */
  boolean isToBeRead(RunStatus last) {
    return !isElsewhere(last) && !isWhole(last) && tail.isReadable();
  }

  /** Reads to the end, without a stream, what a run that has ended left. */
  void readToTheEnd(RunStatus last) {
    tail.closeStream();
    if (!isElsewhere(last)) {
      tail.readPieces(last.logBytes(), stopped);
    } else if (tail.path().equals(moved.orElseThrow().path()) && !isOfProcess()) {
      tail.readPieces(Long.MAX_VALUE, stopped);
    }
  }

  /** Whether the log that was read last is not the one that is asked for. */
  boolean isElsewhere(RunStatus last) {
    return moved.isPresent() && !last.logIdentity().equals(identity);
  }

  boolean isStreaming() {
    return tail.isStreaming();
  }

  void closeStream() {
    tail.closeStream();
  }

  LogReader reader() {
    return tail.reader();
  }

  /** How many bytes were read, from the start of the log. */
  long offset() {
    return tail.offset();
  }

  private boolean isOfProcess() {
    return tail.path().startsWith("/proc/");
  }

  private void beginAnew(RunStatus now, long read, boolean other) {
    sayReplaced(now, read);
    tail.goOnAt(other ? 0 : tail.overlap(now.logBytes()), !other);
    tail.startStream();
  }

  private void sayReplaced(RunStatus now, long read) {
    say(
        "log.replaced",
        "a log that only grows",
        Math.max(0, now.logBytes()) + " bytes where " + read + " had been read",
        "somebody cut it or put another file there; reading goes on at its start");
  }

  /** The job writes to another place, or to the right one again. */
  private void follow(Optional<MovedLog> to) {
    moved = to;
    tail.readFrom(to.map(MovedLog::path).orElse(folder.log()));
    if (to.isPresent()) {
      MovedLog there = to.get();
      boolean gone = there.path().startsWith("/proc/");
      say(
          there.stands().equals("folder") ? "log.unreadable" : "log.replaced",
          "the log that the job writes to",
          switch (there.stands()) {
            case "folder" -> "a folder";
            case "file" -> "another file";
            default -> "nothing";
          },
          "somebody moved or removed the log; the job writes on to "
              + (gone ? "the removed one" : there.path())
              + ", which is read on");
    }
  }

  private void say(String code, String expected, String actual, String evidence) {
    sink.emit(
        new Event.Found(
            new Finding(
                code, Severity.WARNING, folder.log(), expected, actual, List.of(evidence))));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
