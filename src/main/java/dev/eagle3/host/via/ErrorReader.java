package dev.eagle3.host.via;

import dev.eagle3.host.MarkedStream;
import dev.eagle3.host.OutputCapture;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/**
 * Reads standard error on a thread of its own: what came before the command began (banners, the
 * words of ssh or docker), then the command's own, then what nobody wants.
 */
final class ErrorReader {
  private static final int MOST_BEFORE = 64 << 10;

  private final InputStream in;
  private final byte[] mark;
  private final OutputCapture before = new OutputCapture(MOST_BEFORE);
  private volatile OutputCapture of = new OutputCapture(0);
  private boolean whole;

  private ErrorReader(InputStream in, byte[] mark) {
    this.in = in;
    this.mark = mark;
  }

  /** Starts to read. */
  static ErrorReader start(InputStream in, byte[] mark) {
    ErrorReader reader = new ErrorReader(in, mark);
    Thread thread = new Thread(reader::drain, "via-errors");
    thread.setDaemon(true);
    thread.start();
    return reader;
  }

  /** Says, before the command is begun, how much of its errors is kept. */
  void keep(int mostBytes) {
    of = new OutputCapture(mostBytes);
  }

  /** The command's errors so far. */
  OutputCapture errors() {
    return of;
  }

  /** Waits until the command's errors are all there, or for a while. */
  synchronized boolean awaitEnd(long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    while (!whole) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  /** The last line that says something; of the command if it said anything. */
  String lastLine() {
    String last = lastLine(of.text());
    return last.isEmpty() ? lastLine(before.text()) : last;
  }

  /** The last line of a text that says something, or nothing. */
  static String lastLine(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .reduce((first, second) -> second)
        .orElse("");
  }

  private void drain() {
    MarkedStream marked = new MarkedStream(in);
    try {
      // When it ends early, these return at once.
      boolean more = marked.copyTo(before, mark).isPresent() && marked.copyTo(of, mark).isPresent();
      end();
      while (more) {
        more = marked.copyTo(OutputStream.nullOutputStream(), mark).isPresent();
      }
    } catch (IOException closed) {
      // What came before it was closed is kept.
      end();
    }
  }

  private synchronized void end() {
    whole = true;
    notifyAll();
  }
}
