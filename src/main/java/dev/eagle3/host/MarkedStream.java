package dev.eagle3.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A stream in which lines that begin with a mark stand between bytes of any kind. The mark is a
 * random word, so that no bytes between can hold it by chance or by design. For one thread.
 */
public final class MarkedStream {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int MOST_LINE_BYTES = 4 << 10;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int from;
  private int to;

  /** A stream, which stays the caller's to close. */
  public MarkedStream(InputStream in) {
    this.in = in;
  }

  /**
   * Copies bytes as they come until the mark, which is left out. Bytes are held back only while
   * they may turn out to be the mark.
   *
   * @param mark its first byte had better be a rare one
   * @return the rest of the mark's line, without its end; empty when the stream ended before it
   */
  public Optional<String> copyTo(OutputStream sink, byte[] mark) throws IOException {
    while (from < to || fill()) {
      int at = find(mark[0]);
      sink.write(buffer, from, at - from);
      from = at;
      if (from == to) {
        continue;
      }
      while (to - from < mark.length && Arrays.equals(buffer, from, to, mark, 0, to - from)) {
        if (!fill()) {
          sink.write(buffer, from, to - from);
          from = to;
          return Optional.empty();
        }
      }
      if (to - from >= mark.length
          && Arrays.equals(buffer, from, from + mark.length, mark, 0, mark.length)) {
        from += mark.length;
        return line();
      }
      sink.write(buffer, from, 1);
      from++;
    }
    return Optional.empty();
  }

  private int find(byte wanted) {
    int at = from;
    while (at < to && buffer[at] != wanted) {
      at++;
    }
    return at;
  }

  private Optional<String> line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (from < to || fill()) {
      byte next = buffer[from++];
      if (next == '\n') {
        return Optional.of(line.toString(StandardCharsets.UTF_8));
      }
      if (line.size() == MOST_LINE_BYTES) {
        throw new IOException("a marked line is too long");
      }
      line.write(next);
    }
    return Optional.empty();
  }

  /** Reads more behind what is there; false at the end. */
  private boolean fill() throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
    }
    int count = in.read(buffer, to, buffer.length - to);
    to += Math.max(0, count);
    return count >= 0;
  }
}
