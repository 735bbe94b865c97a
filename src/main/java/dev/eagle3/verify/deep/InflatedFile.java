package dev.eagle3.verify.deep;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a gzip file inflates to, as the one file of a tree, under its own path. It is inflated once
 * to learn its size, and again by those who read it; reading on from where the last reading ended
 * inflates nothing twice. Memory is bounded: its two ends are kept, where formats have what is read
 * first. For one thread at a time.
 */
final class InflatedFile implements FileTree {
  private static final int END_BYTES = 1 << 20;
  private static final int BLOCK_BYTES = 64 << 10;

  private final FileTree files;
  private final FileStat stat;
  private final byte[] head;
  private final byte[] tail;
  private @Nullable InputStream stream;
  private long position;

  private InflatedFile(FileTree files, FileStat stat, byte[] head, byte[] tail) {
    this.files = files;
    this.stat = stat;
    this.head = head;
    this.tail = tail;
  }

  /**
   * Inflates a file to its end, which also holds it against the checksum in its trailer.
   *
   * @param mostBytes that it may inflate to
   * @return empty when it inflates to more
   * @throws java.util.zip.ZipException when it is damaged
   * @throws java.io.EOFException when it is cut
   */
  static Optional<InflatedFile> of(FileTree files, FileStat packed, long mostBytes)
      throws IOException {
    byte[] head = new byte[END_BYTES];
    byte[] ring = new byte[END_BYTES];
    byte[] block = new byte[BLOCK_BYTES];
    long bytes = 0;
    try (InputStream inflated = inflated(files, packed.path())) {
      for (int read = inflated.read(block); read >= 0; read = inflated.read(block)) {
        if (bytes < END_BYTES) {
          System.arraycopy(block, 0, head, (int) bytes, (int) Math.min(read, END_BYTES - bytes));
        }
        int at = (int) (bytes % END_BYTES);
        int first = Math.min(read, END_BYTES - at);
        System.arraycopy(block, 0, ring, at, first);
        System.arraycopy(block, first, ring, 0, read - first);
        bytes += read;
        if (bytes > mostBytes) {
          return Optional.empty();
        }
      }
    }
    byte[] tail = new byte[(int) Math.min(bytes, END_BYTES)];
    int oldest = (int) ((bytes - tail.length) % END_BYTES);
    int first = Math.min(tail.length, END_BYTES - oldest);
    System.arraycopy(ring, oldest, tail, 0, first);
    System.arraycopy(ring, 0, tail, first, tail.length - first);
    FileStat stat =
        new FileStat(
            packed.path(), FileKind.FILE, bytes, packed.modifiedSeconds(), packed.permissions());
    return Optional.of(
        new InflatedFile(files, stat, Arrays.copyOf(head, (int) Math.min(bytes, END_BYTES)), tail));
  }

  private static InputStream inflated(FileTree files, String path) throws IOException {
    InputStream packed = files.open(path, 0);
    try {
      return new GZIPInputStream(packed, BLOCK_BYTES);
    } catch (IOException | RuntimeException broken) {
      packed.close();
      throw broken;
    }
  }

  /** The file. */
  FileStat stat() {
    return stat;
  }

  @Override
  public Optional<FileStat> stat(String path) {
    return Optional.of(stat);
  }

  @Override
  public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
    byte[][] answers = new byte[ranges.size()][];
    int[] inOrder =
        IntStream.range(0, ranges.size())
            .boxed()
            .sorted(Comparator.comparingLong(index -> ranges.get(index).offset()))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int index : inOrder) {
      answers[index] = read(ranges.get(index));
    }
    return List.of(answers);
  }

  private byte[] read(ByteRange range) throws IOException {
    long length = Math.max(0, Math.min(range.length(), stat.bytes() - range.offset()));
    long end = range.offset() + length;
    long tailStart = stat.bytes() - tail.length;
    if (length == 0) {
      return new byte[0];
    }
    if (end <= head.length) {
      return Arrays.copyOfRange(head, (int) range.offset(), (int) end);
    }
    if (range.offset() >= tailStart) {
      return Arrays.copyOfRange(tail, (int) (range.offset() - tailStart), (int) (end - tailStart));
    }
    InputStream open = stream;
    if (open == null || range.offset() < position) {
      close();
      open = open(stat.path(), range.offset());
      stream = open;
    } else {
      open.skipNBytes(range.offset() - position);
    }
    byte[] answer = open.readNBytes((int) length);
    position = range.offset() + answer.length;
    return answer;
  }

  @Override
  public InputStream open(String path, long offset) throws IOException {
    InputStream open = inflated(files, stat.path());
    try {
      open.skipNBytes(offset);
      return open;
    } catch (IOException | RuntimeException broken) {
      open.close();
      throw broken;
    }
  }

  @Override
  public Optional<FileStat> linkStat(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<FileStat> list(String folder, int most) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void write(String path, byte[] content, int permissions) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void rename(String from, String to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {
    if (stream != null) {
      stream.close();
      stream = null;
    }
  }
}
