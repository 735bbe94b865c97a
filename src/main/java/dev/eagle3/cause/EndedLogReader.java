package dev.eagle3.cause;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.files.FileStat;
import dev.eagle3.host.Host;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.run.RunStatus;
import java.io.IOException;
import java.io.InputStream;

/** Reads the log of a run that has ended, in silence, for its first error. */
public final class EndedLogReader {
  private static final long MOST_BYTES = 32 << 20;

  /** What is missing after a good end is said last of all. */
  private static final long MOST_BYTES_OF_GOOD = 256 << 10;

  private static final int PIECE_BYTES = 64 << 10;

  private EndedLogReader() {}

  /**
   * The log from its start; of a huge one its last 32 MiB, as errors that end a run stand near its
   * end, and of a run that ended well a little of its end. Blocks until it is read. A run without a
   * log has an empty one.
   *
   * @throws IOException when it cannot be read
   */
  public static LogReader read(Host host, RunStatus run, LogRules rules) throws IOException {
    long most = run.state().exit() == Exit.DONE ? MOST_BYTES_OF_GOOD : MOST_BYTES;
    return read(host, run.folder().log(), most, rules, event -> {});
  }

  /**
   * A log by its path, from its start; of a huge one the last 32 MiB.
   *
   * @param sink gets its events
   * @throws IOException when it cannot be read
   */
  public static LogReader read(Host host, String path, LogRules rules, EventSink sink)
      throws IOException {
    return read(host, path, MOST_BYTES, rules, sink);
  }

  private static LogReader read(Host host, String path, long most, LogRules rules, EventSink sink)
      throws IOException {
    long bytes = host.files().stat(path).map(FileStat::bytes).orElse(0L);
    long from = Math.max(0, bytes - most);
    LogReader log = new LogReader(rules, from, sink);
    if (bytes > 0) {
      try (InputStream in = host.files().open(path, from)) {
        byte[] buffer = new byte[PIECE_BYTES];
        long left = bytes - from;
        for (int count = in.read(buffer); count >= 0 && left > 0; count = in.read(buffer)) {
          int wanted = (int) Math.min(count, left);
          log.accept(buffer, wanted);
          left -= wanted;
        }
      }
    }
    log.finish();
    return log;
  }
}
