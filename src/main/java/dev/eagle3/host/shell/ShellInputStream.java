package dev.eagle3.host.shell;

import dev.eagle3.files.ByteRange;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A file from an offset on, in pieces that grow, the next one under way while one is read. It ends
 * where the file ends; read again after that, it goes on if the file has grown. A file that is
 * replaced by another of its name meanwhile is an error. For one thread.
 */
final class ShellInputStream extends InputStream {
  private static final int FIRST_BYTES = 256 << 10;
  private static final int MOST_BYTES = 8 << 20;
  private static final byte[] NOTHING = {};

  private final ShellRangeReader reader;
  private final String inode;
  private byte[] block = NOTHING;
  private int blockAt;
  private long position;
  private int ahead = FIRST_BYTES;
  private @Nullable CompletableFuture<byte[]> next;
  private boolean closed;

  private ShellInputStream(ShellRangeReader reader, String inode, long offset) {
    this.reader = reader;
    this.inode = inode;
    this.position = offset;
  }

  /** Opens a file: one round trip, which brings its first bytes. */
  static ShellInputStream open(ShellRangeReader reader, long offset) throws IOException {
    ShellRangeReader.Read first = reader.ask(List.of(new ByteRange(offset, FIRST_BYTES)), true);
    ShellInputStream stream = new ShellInputStream(reader, first.inode(), offset);
    stream.take(first.ranges().get(0));
    return stream;
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    if (closed) {
      throw new IOException(reader.path() + ": the stream is closed");
    }
    if (length == 0) {
      return 0;
    }
    if (blockAt == block.length && !fill()) {
      return -1;
    }
    int count = Math.min(length, block.length - blockAt);
    System.arraycopy(block, blockAt, buffer, offset, count);
    blockAt += count;
    return count;
  }

  @Override
  public int available() {
    return block.length - blockAt;
  }

  @Override
  public void close() {
    // A piece that is under way comes to its end by itself, and nobody takes it.
    closed = true;
    next = null;
    block = NOTHING;
    blockAt = 0;
  }

  /** Takes the next piece; false at the end of the file. */
  private boolean fill() throws IOException {
    CompletableFuture<byte[]> awaited = next;
    next = null;
    take(awaited == null ? piece(new ByteRange(position, ahead)) : joined(awaited));
    return block.length > 0;
  }

  /** A piece as long as was asked for is probably not the last one. */
  private void take(byte[] piece) {
    block = piece;
    blockAt = 0;
    position += piece.length;
    if (piece.length == ahead) {
      ahead = Math.min(ahead * 2, MOST_BYTES);
      ByteRange range = new ByteRange(position, ahead);
      next =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return piece(range);
                } catch (IOException broken) {
                  throw new CompletionException(broken);
                }
              },
              task -> daemon(task).start());
    }
  }

  private byte[] piece(ByteRange range) throws IOException {
    ShellRangeReader.Read read = reader.ask(List.of(range), true);
    if (!read.inode().equals(inode)) {
      throw new IOException(reader.path() + ": was replaced by another file while it was read");
    }
    return read.ranges().get(0);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "file-ahead");
    thread.setDaemon(true);
    return thread;
  }

  private static byte[] joined(CompletableFuture<byte[]> awaited) throws IOException {
    try {
      return awaited.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof IOException broken ? broken : new IOException(failed);
    }
  }
}
