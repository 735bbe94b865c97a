package dev.eagle3.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.util.function.BooleanSupplier;

/**
 * Reads a file as a stream that goes on where it broke off, for as long as each try brings further
 * bytes: of a tree whose connection is made again, every byte comes once.
 */
public final class ResumingReader {
  private static final int BUFFER_BYTES = 256 << 10;

  private final FileTree tree;
  private final BooleanSupplier stopped;

  /** Takes what was read. */
  public interface Taker {
    /**
     * The next bytes; the array is used again afterwards.
     *
     * @throws IOException ends the reading, and is passed on
     */
    void take(byte[] bytes, int count) throws IOException;
  }

  /**
   * A reader of the files of one tree.
   *
   * @param stopped asked between two reads: whether to end early
   */
  public ResumingReader(FileTree tree, BooleanSupplier stopped) {
    this.tree = tree;
    this.stopped = stopped;
  }

  /**
   * Reads from one byte to another, or to the end of the file. Blocks.
   *
   * @return the byte that it came to
   * @throws IOException when the file cannot be read, or a connection brings nothing more of it
   */
  public long read(String path, long from, long end, Taker taker) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long at = from;
    while (at < end && !stopped.getAsBoolean()) {
      long before = at;
      try (InputStream in = tree.open(path, at)) {
        while (at < end && !stopped.getAsBoolean()) {
          int count = next(in, buffer, end - at);
          if (count < 0) {
            return at;
          }
          taker.take(buffer, count);
          at += count;
        }
      } catch (BrokenOffException broken) {
        if (at == before) {
          throw broken.cause;
        }
      }
    }
    return at;
  }

  private static int next(InputStream in, byte[] buffer, long most) throws IOException {
    try {
      return in.read(buffer, 0, (int) Math.min(buffer.length, most));
    } catch (FileSystemException answer) {
      throw answer;
    } catch (IOException lost) {
      throw new BrokenOffException(lost);
    }
  }

  /** The stream broke off, and not what takes its bytes. */
  private static final class BrokenOffException extends IOException {
    private static final long serialVersionUID = 1L;
    private final IOException cause;

    BrokenOffException(IOException cause) {
      super(cause);
      this.cause = cause;
    }
  }
}
