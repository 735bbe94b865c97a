package dev.eagle3.host.shell;

import dev.eagle3.files.ByteRange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads ranges of one file with {@code dd}, which counts in blocks: whole blocks around a range are
 * sent, and what lies outside is let go here.
 */
final class ShellRangeReader {
  private static final int LEAST_BLOCK = 512;
  private static final int MOST_BLOCK = 128 << 10;

  /** One block more than needed on either side is then at most an eighth of what is sent. */
  private static final int BLOCKS_OF_A_RANGE = 16;

  private final FileShells shells;
  private final String path;
  private final String field;

  ShellRangeReader(FileShells shells, String path, String field) {
    this.shells = shells;
    this.path = path;
    this.field = field;
  }

  /**
   * What was read at once of one file.
   *
   * @param ranges the bytes of each range
   * @param inode which file it was, or empty when nobody asked
   */
  record Read(List<byte[]> ranges, String inode) {}

  /** As {@link dev.eagle3.files.FileTree#read}. */
  List<byte[]> read(List<ByteRange> ranges) throws IOException {
    List<byte[]> answers = new ArrayList<>(ask(ranges, false).ranges());
    for (int index = 0; index < answers.size(); index++) {
      answers.set(index, completed(ranges.get(index), answers.get(index)));
    }
    return answers;
  }

  /** Reads ranges in one request; an answer may be shorter than asked. */
  Read ask(List<ByteRange> ranges, boolean withInode) throws IOException {
    List<String> request = new ArrayList<>(List.of("read", field, withInode ? "yes" : "-"));
    for (ByteRange range : ranges) {
      long block = block(range);
      long skip = range.offset() / block;
      long end = range.offset() + range.length();
      request.add(String.valueOf(block));
      request.add(String.valueOf(skip));
      request.add(String.valueOf((end + block - 1) / block - skip));
    }
    return shells.again(shell -> answers(shell, request, ranges));
  }

  /** A name for messages. */
  String path() {
    return path;
  }

  private Read answers(FileShell shell, List<String> request, List<ByteRange> ranges)
      throws IOException {
    shell.ask(request.toArray(String[]::new));
    List<byte[]> answers = new ArrayList<>(ranges.size());
    for (ByteRange range : ranges) {
      LimitedBytes bytes = new LimitedBytes(range.offset() % block(range), range.length());
      expect("range", shell.answer(bytes, path));
      answers.add(bytes.bytes());
    }
    String end = shell.answer(OutputStream.nullOutputStream(), path);
    expect("ok", end.substring(0, Math.min(2, end.length())));
    return new Read(answers, end.substring(2).strip());
  }

  private void expect(String word, String answer) throws IOException {
    if (!answer.equals(word)) {
      throw new LostShellException(path + ": malformed answer");
    }
  }

  /** Some file systems give less than asked at one time: only nothing at all is the end. */
  private byte[] completed(ByteRange range, byte[] first) throws IOException {
    byte[] whole = first;
    int count = first.length;
    while (count > 0 && whole.length < range.length()) {
      ByteRange rest = new ByteRange(range.offset() + whole.length, range.length() - whole.length);
      byte[] more = ask(List.of(rest), false).ranges().get(0);
      count = more.length;
      byte[] longer = Arrays.copyOf(whole, whole.length + count);
      System.arraycopy(more, 0, longer, whole.length, count);
      whole = longer;
    }
    return whole;
  }

  private static long block(ByteRange range) {
    int wanted = Math.max(LEAST_BLOCK, range.length() / BLOCKS_OF_A_RANGE);
    return Math.min(MOST_BLOCK, Integer.highestOneBit(wanted));
  }
}
