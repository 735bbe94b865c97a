package dev.eagle3.verify;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.files.RangesRead;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One file while it is verified. Keeps what the first call fetched of either end, and what the file
 * was like after the last call, so that a sample whose values lie near its ends takes one call in
 * all. For one thread.
 */
final class SampleBytes implements RangedBytes {
  private final FileTree files;
  private final FileStat file;
  private final ReadAhead ahead;
  private final List<Part> ends = new ArrayList<>();

  /** What the last call said of the file, without its bytes; null before the first. */
  private @Nullable RangesRead last;

  SampleBytes(FileTree files, FileStat file, ReadAhead ahead) {
    this.files = files;
    this.file = file;
    this.ahead = ahead;
  }

  /** Bytes that were asked for; fewer came where the file ends. */
  private static final class Part {
    private final ByteRange asked;
    private final byte[] came;

    Part(ByteRange asked, byte[] came) {
      this.asked = asked;
      this.came = came;
    }

    boolean covers(ByteRange range) {
      return range.offset() >= asked.offset() && end(range) <= end(asked);
    }

    byte[] bytes(ByteRange range) {
      int from = Math.min((int) (range.offset() - asked.offset()), came.length);
      int to = Math.min(from + range.length(), came.length);
      return to - from == came.length ? came : Arrays.copyOfRange(came, from, to);
    }
  }

  @Override
  public String name() {
    return file.path();
  }

  @Override
  public long size() {
    return file.bytes();
  }

  @Override
  public List<byte[]> read(List<ByteRange> ranges) throws IOException {
    if (ends.isEmpty()) {
      List<ByteRange> asked = widened(ranges);
      List<byte[]> came = call(asked);
      for (int index = 0; index < asked.size(); index++) {
        ends.add(new Part(asked.get(index), came.get(index)));
      }
    }
    List<ByteRange> missed = ranges.stream().filter(range -> part(range) == null).toList();
    if (!missed.isEmpty()) {
      ahead.learn(size(), missed);
    }
    List<byte[]> fetched = missed.isEmpty() ? List.of() : call(missed);
    List<byte[]> answers = new ArrayList<>(ranges.size());
    int next = 0;
    for (ByteRange range : ranges) {
      @Nullable Part part = part(range);
      answers.add(part == null ? fetched.get(next++) : part.bytes(range));
    }
    return answers;
  }

  /**
   * What the file was like after the last call; asks where there was none.
   *
   * @throws NoSuchFileException when it is gone
   */
  FileStat after() throws IOException {
    Optional<FileStat> known = last == null ? files.stat(name()) : last.after();
    return known.orElseThrow(() -> new NoSuchFileException(name()));
  }

  /** To be called when the file was read in other ways meanwhile. */
  void lookAgain() {
    last = null;
  }

  private List<byte[]> call(List<ByteRange> ranges) throws IOException {
    RangesRead read = files.readThenStat(name(), ranges);
    last = new RangesRead(List.of(), read.after());
    return read.ranges();
  }

  private @Nullable Part part(ByteRange range) {
    for (Part part : ends) {
      if (part.covers(range)) {
        return part;
      }
    }
    return null;
  }

  /** With more of the ends, if these are the ends and more was needed of files before. */
  private List<ByteRange> widened(List<ByteRange> ranges) {
    if (ranges.size() != 2 || ranges.get(0).offset() != 0 || end(ranges.get(1)) != size()) {
      return ranges;
    }
    long head = Math.min(size(), Math.max(ranges.get(0).length(), ahead.headBytes()));
    long tail = Math.min(ranges.get(1).offset(), Math.max(0, size() - ahead.tailBytes()));
    return head < tail
        ? List.of(new ByteRange(0, (int) head), new ByteRange(tail, (int) (size() - tail)))
        : List.of(new ByteRange(0, (int) size()));
  }

  private static long end(ByteRange range) {
    return range.offset() + range.length();
  }
}
