package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.RangedBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The parts of one file that were fetched so far. Asks for all that is missing in one call, since
 * over a network the number of calls is what takes the time.
 */
final class FileWindow implements AutoCloseable {
  /** How much of either end the first call fetches. */
  static final int EDGE_BYTES = 32 * 1024;

  /** Above this a file counts as large, and large files are read one at a time. */
  private static final int LARGE_BYTES = 512 * 1024;

  private final RangedBytes file;
  private final Semaphore largeFiles;
  private final List<Block> blocks = new ArrayList<>();
  private boolean holdsPermit;

  private static final class Block {
    private final long offset;
    private final byte[] bytes;

    Block(long offset, byte[] bytes) {
      this.offset = offset;
      this.bytes = bytes;
    }

    long offset() {
      return offset;
    }

    byte[] bytes() {
      return bytes;
    }

    long end() {
      return offset + bytes.length;
    }
  }

  private FileWindow(RangedBytes file, Semaphore largeFiles) {
    this.file = file;
    this.largeFiles = largeFiles;
  }

  /**
   * Fetches both ends of a file.
   *
   * @param largeFiles one permit is held from the moment that much of the file is in memory until
   *     the window is closed
   */
  static FileWindow open(RangedBytes file, Semaphore largeFiles) throws IOException, FileFault {
    FileWindow window = new FileWindow(file, largeFiles);
    window.ensure(List.of(window.head(EDGE_BYTES), window.tail(EDGE_BYTES)));
    return window;
  }

  /** A file that is in memory already. */
  static FileWindow of(Slice content) {
    FileWindow window = new FileWindow(new Memory(content.length()), new Semaphore(0));
    window.blocks.add(new Block(0, content.bytes()));
    return window;
  }

  /** Nothing is ever asked of it: all of it is here. */
  private record Memory(long size) implements RangedBytes {
    @Override
    public String name() {
      return "";
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) {
      throw new IllegalStateException("not in memory: " + ranges);
    }
  }

  long size() {
    return file.size();
  }

  /** The range of the first bytes, as many as there are. */
  ByteRange head(int bytes) {
    return new ByteRange(0, (int) Math.min(bytes, file.size()));
  }

  /** The range of the last bytes, as many as there are. */
  ByteRange tail(int bytes) {
    int length = (int) Math.min(bytes, file.size());
    return new ByteRange(file.size() - length, length);
  }

  /** Whether these bytes are here already. */
  boolean has(long offset, long length) {
    for (Block block : blocks) {
      if (holds(block, offset, length)) {
        return true;
      }
    }
    return false;
  }

  /** Bytes that are here already. */
  Slice slice(long offset, int length) {
    for (Block block : blocks) {
      if (holds(block, offset, length)) {
        return new Slice(block.bytes(), (int) (offset - block.offset()), length);
      }
    }
    throw new IllegalStateException("not fetched: " + offset + "+" + length);
  }

  Slice slice(ByteRange range) {
    return slice(range.offset(), range.length());
  }

  /** Fetches a range if it is not here, and gives it. */
  Slice fetch(ByteRange range) throws IOException, FileFault {
    ensure(List.of(range));
    return slice(range);
  }

  /**
   * Fetches what is missing of these ranges, in one call or none. They must lie within the file.
   */
  void ensure(List<ByteRange> wanted) throws IOException, FileFault {
    List<ByteRange> missing = missing(wanted);
    if (missing.isEmpty()) {
      return;
    }
    holdPermitIfLarge(missing);
    List<byte[]> answers = file.read(missing);
    for (int index = 0; index < missing.size(); index++) {
      ByteRange asked = missing.get(index);
      byte[] answer = answers.get(index);
      if (answer.length != asked.length()) {
        throw new FileFault(
            "file.changed",
            Findings.grouped(file.size()) + " bytes, as listed",
            "the file ended at byte " + Findings.grouped(asked.offset() + answer.length),
            "it was cut or replaced while it was being read");
      }
      blocks.add(new Block(asked.offset(), answer));
    }
    join();
  }

  @Override
  public void close() {
    if (holdsPermit) {
      holdsPermit = false;
      largeFiles.release();
    }
  }

  private void holdPermitIfLarge(List<ByteRange> missing) {
    long bytes = 0;
    for (Block block : blocks) {
      bytes += block.bytes().length;
    }
    for (ByteRange range : missing) {
      bytes += range.length();
    }
    if (!holdsPermit && bytes > LARGE_BYTES) {
      largeFiles.acquireUninterruptibly();
      holdsPermit = true;
    }
  }

  private static boolean holds(Block block, long offset, long length) {
    return offset >= block.offset() && length <= block.end() - offset;
  }

  /** What no block covers, in file order, no byte twice. */
  private List<ByteRange> missing(List<ByteRange> wanted) {
    List<ByteRange> sorted = new ArrayList<>(wanted);
    sorted.sort(Comparator.comparingLong(ByteRange::offset));
    List<ByteRange> missing = new ArrayList<>();
    long covered = 0;
    for (ByteRange range : sorted) {
      long end = range.offset() + range.length();
      long at = Math.max(range.offset(), covered);
      for (Block block : blocks) {
        if (block.end() <= at || block.offset() >= end) {
          continue;
        }
        if (block.offset() > at) {
          missing.add(new ByteRange(at, (int) (block.offset() - at)));
        }
        at = block.end();
      }
      if (at < end) {
        missing.add(new ByteRange(at, (int) (end - at)));
      }
      covered = Math.max(covered, end);
    }
    return missing;
  }

  /** Makes one block of those that touch, so that a slice never spans two. */
  private void join() {
    blocks.sort(Comparator.comparingLong(Block::offset));
    List<Block> joined = new ArrayList<>();
    int from = 0;
    while (from < blocks.size()) {
      int to = from + 1;
      while (to < blocks.size() && blocks.get(to).offset() == blocks.get(to - 1).end()) {
        to++;
      }
      joined.add(joined(blocks.subList(from, to)));
      from = to;
    }
    blocks.clear();
    blocks.addAll(joined);
  }

  private static Block joined(List<Block> touching) {
    Block first = touching.get(0);
    if (touching.size() == 1) {
      return first;
    }
    long end = touching.get(touching.size() - 1).end();
    byte[] bytes = new byte[Math.toIntExact(end - first.offset())];
    for (Block block : touching) {
      System.arraycopy(
          block.bytes(), 0, bytes, (int) (block.offset() - first.offset()), block.bytes().length);
    }
    return new Block(first.offset(), bytes);
  }
}
