package dev.eagle3.verify.deep;

import dev.eagle3.files.FileTree;
import dev.eagle3.tensor.StorageExtent;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The storages of one file, read one after another, forward. For one thread. */
final class StorageStream implements Closeable {
  private static final int WINDOW_BYTES = 256 << 10;

  /** A gap that is read over rather than opening the file anew. */
  private static final long SMALL_GAP_BYTES = 1 << 20;

  private final FileTree files;
  private final String path;
  private @Nullable InputStream stream;
  private long position;
  private byte[] window = new byte[WINDOW_BYTES];

  StorageStream(FileTree files, String path) {
    this.files = files;
    this.path = path;
  }

  /**
   * Reads a storage and hands each row of the layers, whole, to its layer.
   *
   * @param layers views of the storage whose rows are pieces, and lie within it
   * @return what is wrong with its checksum; empty when it is right, or none is recorded
   */
  Optional<String> read(StorageExtent storage, List<LayerScan> layers) throws IOException {
    InputStream bytes = seek(storage.fileOffset());
    makeRoom(layers);
    CRC32 crc = new CRC32();
    boolean isChecked = storage.recordedCrc() >= 0;
    long start = 0;
    int filled = 0;
    takeRows(layers, 0, 0);
    while (start + filled < storage.storedBytes()) {
      long left = storage.storedBytes() - start - filled;
      int wanted = (int) Math.min(window.length - filled, left);
      int read = bytes.readNBytes(window, filled, wanted);
      if (read < wanted) {
        throw new EOFException(path + ": the file became shorter");
      }
      position += read;
      if (isChecked) {
        crc.update(window, filled, read);
      }
      filled += read;
      takeRows(layers, start, start + filled);
      int done = (int) (firstWanted(layers, start + filled) - start);
      System.arraycopy(window, done, window, 0, filled - done);
      start += done;
      filled -= done;
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
      long length = layer.place().rowBytes();
      while (layer.hasNext() && layer.nextStart() + length <= end) {
        layer.take(window, (int) (layer.nextStart() - start));
      }
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
    if (2 * longest + WINDOW_BYTES > window.length) {
      window = new byte[(int) (2 * longest) + WINDOW_BYTES];
    }
  }

  private InputStream seek(long offset) throws IOException {
    InputStream open = stream;
    long gap = offset - position;
    if (open != null && gap >= 0 && gap <= SMALL_GAP_BYTES) {
      open.skipNBytes(gap);
    } else {
      close();
      open = files.open(path, offset);
    }
    stream = open;
    position = offset;
    return open;
  }

  @Override
  public void close() throws IOException {
    if (stream != null) {
      stream.close();
      stream = null;
    }
  }
}
