package dev.eagle3.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;

/**
 * A file of a host as a stream that outlives connections: where one is lost, reading goes on at the
 * very byte on another. Whether it still is the same file nobody asks: who must know compares its
 * size and time before and after, as with any file that others may write.
 */
final class ReconnectingInputStream extends InputStream {
  /** A line that drops this often without a byte in between will not carry the file. */
  private static final int MOST_LOSSES = 3;

  private final Opener opener;
  private final Runnable awaitLoss;
  private InputStream current;
  private long position;
  private int losses;
  private boolean closed;

  /** Opens the file at a byte, on the connection that there is, or on a new one. */
  interface Opener {
    InputStream open(long offset) throws IOException;
  }

  /**
   * Opens it for the first time.
   *
   * @param awaitLoss waits a moment for a loss to be known, before it is opened again
   */
  ReconnectingInputStream(Opener opener, long offset, Runnable awaitLoss) throws IOException {
    this.opener = opener;
    this.awaitLoss = awaitLoss;
    this.position = offset;
    this.current = opener.open(offset);
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    while (true) {
      try {
        int count = current.read(buffer, offset, length);
        if (count > 0) {
          position += count;
          losses = 0;
        }
        return count;
      } catch (FileSystemException answer) {
        throw answer;
      } catch (IOException lost) {
        losses++;
        if (closed || losses == MOST_LOSSES) {
          throw lost;
        }
        forget(current);
        awaitLoss.run();
        current = opener.open(position);
      }
    }
  }

  @Override
  public int available() throws IOException {
    return current.available();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    current.close();
  }

  private static void forget(InputStream broken) {
    try {
      broken.close();
    } catch (IOException gone) {
      // It had nothing left to close.
      return;
    }
  }
}
