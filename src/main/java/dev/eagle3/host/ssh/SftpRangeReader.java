package dev.eagle3.host.ssh;

import dev.eagle3.files.ByteRange;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.sftp.common.SftpConstants;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges of one file in two round trips: open, then everything else together: the size, the
 * reads, close. Servers answer requests about one handle in their order
 * (draft-ietf-secsh-filexfer-02, section 3), so the close may be sent before the reads are
 * answered, and what the file is like after them. A reader serves one call.
 */
final class SftpRangeReader {
  /** Answers under way for one call. */
  private static final long MOST_BYTES_AHEAD = 8L << 20;

  private static final int MOST_READS_AHEAD = 256;

  private final SftpConnection sftp;
  private final String path;
  private final List<ByteRange> ranges;
  private final boolean withStat;
  private final Deque<Piece> toAsk = new ArrayDeque<>();
  private final Deque<Piece> asked = new ArrayDeque<>();
  private final List<Piece> missing = new ArrayList<>();
  private final List<byte[]> answers = new ArrayList<>();
  private final int[] found;
  private long bytesAhead;
  private SftpConnection.@Nullable Answer after;

  /**
   * A reader of ranges.
   *
   * @param withStat whether to ask after the reads what the file is like
   */
  SftpRangeReader(SftpConnection sftp, String path, List<ByteRange> ranges, boolean withStat) {
    this.sftp = sftp;
    this.path = path;
    this.ranges = ranges;
    this.withStat = withStat;
    this.found = new int[ranges.size()];
  }

  /**
   * One read request.
   *
   * @param range number of the range that it belongs to
   * @param from first byte, counted from the start of that range
   * @param id number of the request; 0 before it is sent
   */
  private record Piece(int range, int from, int length, int id) {}

  /** As {@link dev.eagle3.files.FileTree#read}. */
  List<byte[]> read() throws IOException {
    for (int range = 0; range < ranges.size(); range++) {
      toAsk.add(new Piece(range, 0, ranges.get(range).length(), 0));
    }
    readOpened(openToRead(sftp, path));
    if (!missing.isEmpty()) {
      // The server gave less than it was asked for, which it may at any time.
      readMissing();
      after = null;
    }
    for (int range = 0; range < found.length; range++) {
      if (found[range] < answers.get(range).length) {
        answers.set(range, Arrays.copyOf(answers.get(range), found[range]));
      }
    }
    return answers;
  }

  /** What the path leads to after {@link #read}; asks where that was not asked with the reads. */
  SftpConnection.Answer after() throws IOException {
    return after == null ? sftp.ask(SftpConstants.SSH_FXP_STAT, SftpConnection.body(path)) : after;
  }

  private void readOpened(byte[] handle) throws IOException {
    Deque<Integer> others = new ArrayDeque<>();
    boolean closed = false;
    int stat = 0;
    try {
      others.add(sftp.send(SftpConstants.SSH_FXP_FSTAT, SftpConnection.body(handle)));
      askMore(handle);
      if (toAsk.isEmpty()) {
        closed = true;
        others.add(sftp.send(SftpConstants.SSH_FXP_CLOSE, SftpConnection.body(handle)));
        stat = withStat ? sftp.send(SftpConstants.SSH_FXP_STAT, SftpConnection.body(path)) : 0;
      }
      prepare(size(sftp.receive(others.remove())));
      while (!asked.isEmpty()) {
        take(asked.remove());
        askMore(handle);
      }
      if (stat != 0) {
        int id = stat;
        stat = 0;
        after = sftp.receive(id);
      }
    } finally {
      if (stat != 0) {
        others.add(stat);
      }
      asked.forEach(piece -> others.add(piece.id()));
      if (!closed) {
        others.add(sftp.send(SftpConstants.SSH_FXP_CLOSE, SftpConnection.body(handle)));
      }
      sftp.forget(others);
    }
  }

  /** Sends reads up to the limits of what may be under way. */
  private void askMore(byte[] handle) throws IOException {
    while (!toAsk.isEmpty() && bytesAhead < MOST_BYTES_AHEAD && asked.size() < MOST_READS_AHEAD) {
      Piece rest = toAsk.remove();
      int length = Math.min(rest.length(), sftp.readBytes());
      if (length < rest.length()) {
        toAsk.addFirst(new Piece(rest.range(), rest.from() + length, rest.length() - length, 0));
      }
      if (length > 0) {
        long offset = ranges.get(rest.range()).offset() + rest.from();
        int id = askRead(sftp, handle, offset, length);
        asked.add(new Piece(rest.range(), rest.from(), length, id));
        bytesAhead += length;
      }
    }
  }

  /** Makes room for the answers, and drops what lies beyond the end of the file. */
  private void prepare(long fileBytes) {
    for (ByteRange range : ranges) {
      long there = Math.max(0, Math.min(range.length(), fileBytes - range.offset()));
      answers.add(new byte[(int) there]);
    }
    toAsk.removeIf(piece -> piece.from() >= answers.get(piece.range()).length);
  }

  private void take(Piece piece) throws IOException {
    bytesAhead -= piece.length();
    SftpConnection.Answer answer = sftp.receive(piece.id());
    if (answer.isEnd()) {
      return;
    }
    byte[] target = answers.get(piece.range());
    int wanted = Math.max(0, Math.min(piece.length(), target.length - piece.from()));
    int came = copy(answer, target, piece.from(), wanted);
    found[piece.range()] = Math.max(found[piece.range()], piece.from() + came);
    if (came < wanted) {
      missing.add(new Piece(piece.range(), piece.from() + came, wanted - came, 0));
    }
  }

  private int copy(SftpConnection.Answer answer, byte[] target, int from, int most)
      throws IOException {
    Buffer body = answer.expect(SftpConstants.SSH_FXP_DATA, path).body();
    int came = body.getInt();
    if (came < 0 || came > body.available()) {
      throw new FileSystemException(path, null, "malformed answer");
    }
    int used = Math.min(came, most);
    body.getRawBytes(target, from, used);
    return used;
  }

  private void readMissing() throws IOException {
    byte[] handle = openToRead(sftp, path);
    try {
      for (Piece piece : missing) {
        byte[] target = answers.get(piece.range());
        int from = piece.from();
        int end = from + piece.length();
        while (from < end) {
          long offset = ranges.get(piece.range()).offset() + from;
          int length = Math.min(end - from, sftp.readBytes());
          SftpConnection.Answer answer = sftp.receive(askRead(sftp, handle, offset, length));
          int came = answer.isEnd() ? 0 : copy(answer, target, from, length);
          if (came == 0) {
            found[piece.range()] = Math.min(found[piece.range()], from);
            break;
          }
          from += came;
        }
      }
    } finally {
      sftp.forget(List.of(sftp.send(SftpConstants.SSH_FXP_CLOSE, SftpConnection.body(handle))));
    }
  }

  private long size(SftpConnection.Answer answer) throws IOException {
    Buffer body = answer.expect(SftpConstants.SSH_FXP_ATTRS, path).body();
    return SftpAttributes.read(body, path).bytes();
  }

  /** Opens a file for reading: its handle, one round trip. */
  static byte[] openToRead(SftpConnection sftp, String path) throws IOException {
    Buffer body = SftpConnection.body(path);
    body.putUInt(SftpConstants.SSH_FXF_READ);
    body.putUInt(0); // no attributes
    return sftp.ask(SftpConstants.SSH_FXP_OPEN, body)
        .expect(SftpConstants.SSH_FXP_HANDLE, path)
        .body()
        .getBytes();
  }

  /** Sends one read request: its number. */
  static int askRead(SftpConnection sftp, byte[] handle, long offset, int length)
      throws IOException {
    Buffer body = SftpConnection.body(handle);
    body.putLong(offset);
    body.putUInt(length);
    return sftp.send(SftpConstants.SSH_FXP_READ, body);
  }
}
