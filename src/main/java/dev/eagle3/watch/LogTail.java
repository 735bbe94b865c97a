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
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a log as they are read. They come as a stream; where the host streams nothing, they
 * are read piece by piece through the host's files. For the thread that watches; only {@link
 * #offset} is for other threads.
 */
final class LogTail {
  private static final int MOST_FAILURES = 5;
  private static final int PIECE_BYTES = 256 << 10;

  private final HostScripts scripts;
  private final LogRules rules;
  private final EventSink sink;
  private final BlockingQueue<WatchMessage> messages;
  private final RecentBytes recent = new RecentBytes();

  private volatile long offset;
  private String path;
  private LogReader reader;
  private @Nullable LogStream stream;
  private boolean readable = true;
  private int failures;
  private boolean inHole;

  /**
   * A log of which nothing is read yet.
   *
   * @param path on the host
   * @param sink gets what the lines mean
   * @param messages takes what a stream brings, for {@link #accept}
   */
  LogTail(
      HostScripts scripts,
      String path,
      LogRules rules,
      EventSink sink,
      BlockingQueue<WatchMessage> messages) {
    this.scripts = scripts;
    this.path = path;
    this.rules = rules;
    this.sink = sink;
    this.messages = messages;
    this.reader = new LogReader(rules, 0, sink);
  }

  /** Begins anew at a byte, without a stream; what was read before is forgotten. */
  void begin(long from) {
    goOnAt(from, false);
    reader = new LogReader(rules, from, sink);
  }

  /** Begins anew at a byte that the log has, with a stream if the host starts one. */
  void beginStream(long from) {
    begin(from);
    startStream();
  }

  /** Where it is read from now on; a stream that was started goes on. */
  void readFrom(String newPath) {
    path = newPath;
  }

  String path() {
    return path;
  }

  /**
   * Goes on at a byte, without a stream; what was read so far stays known.
   *
   * @param hole whether zeros that come first are nothing that anybody wrote: a file that was cut
   *     under a writer that keeps its place has them
   */
  void goOnAt(long from, boolean hole) {
    closeStream();
    offset = from;
    inHole = hole;
    recent.keepLast(0);
    reader.goOnAt(from);
  }

  /** Starts a stream where it stands, a byte that the log has; false if the host starts none. */
  boolean startStream() {
    closeStream();
    try {
      stream = LogStream.start(scripts, path, offset, messages);
    } catch (Failure notStarted) {
      // The host may allow no further channel. If it is gone, the state cannot be asked either.
      return false;
    }
    return true;
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

  /**
   * Reads what the log has, up to a byte, over lost connections; says it once when that cannot be.
   */
  void readPieces(long end, BooleanSupplier stopped) {
    try (InputStream in = scripts.host().files().open(path, offset)) {
      byte[] buffer = new byte[PIECE_BYTES];
      int count = 0;
      while (count >= 0 && offset < end && !stopped.getAsBoolean()) {
        count = in.read(buffer, 0, (int) Math.min(buffer.length, end - offset));
        accept(Arrays.copyOf(buffer, Math.max(0, count)));
      }
      failures = 0;
      readable = true;
    } catch (IOException unreadable) {
      // A lost connection is for the state to tell.
      failures++;
      boolean answer = unreadable instanceof FileSystemException;
      if (readable && (answer || (failures == MOST_FAILURES && scripts.host().isConnected()))) {
        sink.emit(new Event.Found(unreadable(unreadable)));
        readable = false;
      }
    }
  }

  /** Whether nothing was said against reading it. */
  boolean isReadable() {
    return readable;
  }

  /** Up to this byte the log is known to be the one that was read. */
  void confirm(long known) {
    recent.keepLast(offset - known);
  }

  /**
   * How much of a log that begins anew has come already.
   *
   * @param size how many bytes it has by now
   */
  long overlap(long size) {
    int wanted = (int) Math.min(size, recent.count());
    try {
      return wanted == 0 ? 0 : recent.overlap(readAt(0, wanted));
    } catch (IOException unreadable) {
      return 0;
    }
  }

  /** What was read so far. */
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

  private Finding unreadable(IOException why) {
    return Finding.of(
        "log.unreadable",
        Severity.WARNING,
        path,
        "a log that can be read",
        String.valueOf(why.getMessage()));
  }

  private byte[] readAt(long from, int count) throws IOException {
    return scripts.host().files().read(path, List.of(new ByteRange(from, count))).get(0);
  }

  private void accept(byte[] bytes) {
    recent.add(bytes, bytes.length);
    int nothing = 0;
    while (inHole && nothing < bytes.length && bytes[nothing] == 0) {
      nothing++;
    }
    if (nothing > 0) {
      reader.skip(nothing);
    }
    inHole &= nothing == bytes.length;
    byte[] text = nothing == 0 ? bytes : Arrays.copyOfRange(bytes, nothing, bytes.length);
    reader.accept(text, text.length);
    offset = reader.offset();
  }
}
