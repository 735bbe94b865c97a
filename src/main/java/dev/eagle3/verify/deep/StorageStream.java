package dev.eagle3.verify.deep;

import dev.eagle3.files.FileTree;
import dev.eagle3.tensor.StorageExtent;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The storages of one file, read one after another, forward. For one thread. */
final class StorageStream implements Closeable {
  /** A gap that is read over rather than opening the file anew. */
  private static final long SMALL_GAP_BYTES = 1 << 20;

  private final FileTree files;
  private final String path;
  private final Windows windows;
  private @Nullable ReadableByteChannel channel;
  private long position;
  private ByteBuffer window;

  StorageStream(FileTree files, String path, Windows windows) {
    this.files = files;
    this.path = path;
    this.windows = windows;
    this.window = windows.take();
  }

  /**
   * Reads a storage and hands each row of the layers, whole, to its layer.
   *
   * @param layers views of the storage whose rows are pieces, and lie within it
   * @return what is wrong with its checksum; empty when it is right, or none is recorded
   */
  Optional<String> read(StorageExtent storage, List<LayerScan> layers) throws IOException {
    makeRoom(layers);
    window.clear();
    seek(storage.fileOffset());
    window.clear();
    CRC32 crc = new CRC32();
    boolean isChecked = storage.recordedCrc() >= 0;
    // The window holds the storage from here on, up to its position.
    long start = 0;
    takeRows(layers, 0, 0);
    while (start + window.position() < storage.storedBytes()) {
      int kept = window.position();
      long left = storage.storedBytes() - start - kept;
      fill((int) Math.min(window.remaining(), left));
      if (isChecked) {
        crc.update(window.duplicate().flip().position(kept));
      }
      long end = start + window.position();
      takeRows(layers, start, end);
      int done = (int) (firstWanted(layers, end) - start);
      window.flip().position(done);
      window.compact();
      start += done;
    }
    return isChecked && crc.getValue() != storage.recordedCrc()
        ? Optional.of(
            String.format(
                "storage %s has checksum %08x, the directory says %08x",
                storage.key(), crc.getValue(), storage.recordedCrc()))
        : Optional.empty();
  }

  /** Hands out the rows that lie wholly in the window. */
  private void takeRows(List<LayerScan> layers, long start, long end) {
    for (LayerScan layer : layers) {
      layer.take(window, start, end);
    }
  }

  /** The first byte that a row still needs; {@code end} when none does. */
  private static long firstWanted(List<LayerScan> layers, long end) {
    long first = end;
    for (LayerScan layer : layers) {
      first = layer.hasNext() ? Math.min(first, layer.nextStart()) : first;
    }
    return first;
  }

  /** Rows of layers side by side may begin up to a row apart, and each has to fit. */
  private void makeRoom(List<LayerScan> layers) {
    long longest = 0;
    for (LayerScan layer : layers) {
      longest = Math.max(longest, layer.place().rowBytes());
    }
    if (2 * longest + Windows.BYTES > window.capacity()) {
      windows.give(window);
      window = windows.take((int) (2 * longest) + Windows.BYTES);
    }
  }

  /** Reads so many bytes into the window, behind those that are there. */
  private void fill(int bytes) throws IOException {
    ReadableByteChannel open = channel;
    window.limit(window.position() + bytes);
    while (window.hasRemaining()) {
      int read = open == null ? -1 : open.read(window);
      if (read < 0) {
        throw new EOFException(path + ": the file became shorter");
      }
      position += read;
    }
    window.limit(window.capacity());
  }

  private void seek(long offset) throws IOException {
    long gap = offset - position;
    if (channel == null || gap < 0 || gap > SMALL_GAP_BYTES) {
      closeChannel();
      channel = files.openChannel(path, offset);
      position = offset;
    }
    while (position < offset) {
      window.clear();
      fill((int) Math.min(window.capacity(), offset - position));
    }
  }

  private void closeChannel() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  @Override
  public void close() throws IOException {
    windows.give(window);
    window = ByteBuffer.allocate(0);
    closeChannel();
  }
}
