package dev.eagle3.verify.deep;

import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures how fast files come, by reading the start of one. */
public final class ReadRateMeter {
  private static final int MOST_BYTES = 8 << 20;
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FileTree files;
  private final LongSupplier nanos;

  /**
   * Reads through {@code files}, which stays open.
   *
   * @param nanos a clock, as {@link System#nanoTime}
   */
  public ReadRateMeter(FileTree files, LongSupplier nanos) {
    this.files = files;
    this.nanos = nanos;
  }

  /**
   * Bytes a second; empty for an empty file. Reads for a second or 8 MiB, whichever comes first.
   *
   * @throws IOException when the file cannot be read
   */
  public OptionalDouble measure(String path) throws IOException {
    byte[] buffer = new byte[64 << 10];
    long begun = nanos.getAsLong();
    long bytes = 0;
    try (InputStream stream = files.open(path, 0)) {
      while (bytes < MOST_BYTES && nanos.getAsLong() - begun < MOST_NANOS) {
        int read = stream.read(buffer);
        if (read < 0) {
          break;
        }
        bytes += read;
      }
    }
    double seconds = (nanos.getAsLong() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
    return bytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(bytes / Math.max(1e-6, seconds));
  }
}
