package dev.eagle3.watch;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.files.ByteRange;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of a run as it is read. It comes as a stream; where the host streams nothing (any more),
 * it is read piece by piece through the host's files. For the thread that watches; only {@link
 * #offset} is for other threads.
 */
final class LogTail {
  private static final int PIECE_BYTES = 1 << 20;

  private final HostScripts scripts;
  private final String log;
  private final LogRules rules;
  private final EventSink sink;
  private final BlockingQueue<WatchMessage> messages;

  private volatile long offset;
  private LogReader reader;
  private @Nullable LogStream stream;
  private boolean readable = true;

  /**
   * A log of which nothing is read yet.
   *
   * @param log its path on the host
   * @param sink gets what the lines mean
   * @param messages takes what a stream brings, for {@link #accept}
   */
  LogTail(
      HostScripts scripts,
      String log,
      LogRules rules,
      EventSink sink,
      BlockingQueue<WatchMessage> messages) {
    this.scripts = scripts;
    this.log = log;
    this.rules = rules;
    this.sink = sink;
    this.messages = messages;
    this.reader = new LogReader(rules, 0, sink);
  }

  /** Begins anew at a byte, without a stream. */
  void begin(long from) {
    closeStream();
    offset = from;
    reader = new LogReader(rules, from, sink);
  }

  /** Begins anew at a byte that the log has, with a stream if the host starts one. */
  void beginStream(long from) {
    begin(from);
    try {
      stream = LogStream.start(scripts, log, from, messages);
    } catch (Failure notStarted) {
      // The host may allow no further channel. If it is gone, the state cannot be asked either.
      stream = null;
    }
  }

  boolean isStreaming() {
    return stream != null;
  }

  /** Takes what the stream brought; false for a message that is not of this stream. */
  boolean accept(@Nullable WatchMessage message) {
    if (message instanceof WatchMessage.Bytes bytes && bytes.from() == stream) {
      accept(bytes.bytes());
      return true;
    }
    if (message instanceof WatchMessage.StreamEnded end && end.from() == stream) {
      closeStream();
      return true;
    }
    return false;
  }

  /** Reads what the log has, up to a byte; says it once when that cannot be. */
  void readPieces(long end, BooleanSupplier stopped) {
    try {
      int count = PIECE_BYTES;
      while (count == PIECE_BYTES && offset < end && !stopped.getAsBoolean()) {
        int wanted = (int) Math.min(PIECE_BYTES, end - offset);
        byte[] piece =
            scripts.host().files().read(log, List.of(new ByteRange(offset, wanted))).get(0);
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

  /** What was read so far, until it begins anew. */
  LogReader reader() {
    return reader;
  }

  /** How many bytes were read, from the start of the log. */
  long offset() {
    return offset;
  }

  void closeStream() {
    if (stream != null) {
      stream.close();
      stream = null;
    }
  }

  private void accept(byte[] bytes) {
    reader.accept(bytes, bytes.length);
    offset = reader.offset();
  }

  private Finding unreadable(IOException why) {
    return Finding.of(
        "log.unreadable",
        Severity.WARNING,
        log,
        "a log that can be read",
        String.valueOf(why.getMessage()));
  }
}
