package dev.eagle3.host.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.sftp.common.SftpConstants;

/**
 * A remote file from an offset on, with reads under way ahead of the reader. It ends where the file
 * ends; read again after that, it goes on if the file has grown. For one thread.
 */
final class SftpInputStream extends InputStream {
  /** Doubled with each block, so that a short look at a file stays cheap. */
  private static final int FIRST_BYTES_AHEAD = 1 << 20;

  private static final int MOST_BYTES_AHEAD = 12 << 20;

  /** Doubled with each block, too: what a line that soon breaks brings whole is something. */
  private static final int FIRST_PIECE_BYTES = 32 << 10;

  private static final int MOST_PIECE_BYTES = 1 << 20;
  private static final byte[] NOTHING = {};

  private final SftpConnection sftp;
  private final String path;
  private final byte[] handle;
  private final Deque<Piece> asked = new ArrayDeque<>();
  private byte[] block = NOTHING;
  private int blockAt;
  private long position;
  private long askedTo;
  private long knownBytes;
  private int pieceBytes = FIRST_PIECE_BYTES;
  private int ahead = FIRST_BYTES_AHEAD;
  private boolean closed;

  private record Piece(int id, long offset, int length) {}

  private SftpInputStream(SftpConnection sftp, String path, byte[] handle, long offset) {
    this.sftp = sftp;
    this.path = path;
    this.handle = handle;
    this.position = offset;
    this.askedTo = offset;
  }

  /** Opens a file: two round trips. */
  static SftpInputStream open(SftpConnection sftp, String path, long offset) throws IOException {
    byte[] handle = SftpRangeReader.openToRead(sftp, path);
    SftpInputStream stream = new SftpInputStream(sftp, path, handle, offset);
    try {
      SftpConnection.Answer answer =
          sftp.ask(SftpConstants.SSH_FXP_FSTAT, SftpConnection.body(handle));
      Buffer body = answer.expect(SftpConstants.SSH_FXP_ATTRS, path).body();
      stream.knownBytes = SftpAttributes.read(body, path).bytes();
      return stream;
    } catch (IOException | RuntimeException unusable) {
      stream.close();
      throw unusable;
    }
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
      throw new IOException(path + ": the stream is closed");
    }
    if (length == 0) {
      return 0;
    }
    if (blockAt == block.length && !next()) {
      return -1;
    }
    int count = Math.min(length, block.length - blockAt);
    System.arraycopy(block, blockAt, buffer, offset, count);
    blockAt += count;
    position += count;
    return count;
  }

  @Override
  public int available() {
    return block.length - blockAt;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    block = NOTHING;
    blockAt = 0;
    if (sftp.isOpen()) {
      drop();
      sftp.forget(List.of(sftp.send(SftpConstants.SSH_FXP_CLOSE, SftpConnection.body(handle))));
    }
  }

  /** Takes the next block; false at the end of the file. */
  private boolean next() throws IOException {
    askAhead();
    Piece piece = asked.remove();
    SftpConnection.Answer answer;
    try {
      answer = sftp.receive(piece.id());
    } catch (IOException gone) {
      asked.clear();
      throw gone;
    }
    if (answer.isEnd()) {
      drop();
      return false;
    }
    Buffer body = answer.expect(SftpConstants.SSH_FXP_DATA, path).body();
    int came = body.getInt();
    if (came <= 0 || came > piece.length() || came > body.available()) {
      throw new FileSystemException(path, null, "malformed answer");
    }
    block = new byte[came];
    body.getRawBytes(block);
    blockAt = 0;
    if (came < piece.length()) {
      // What was asked for after it would leave a hole: ask anew from here.
      drop();
      askedTo = piece.offset() + came;
    }
    return true;
  }

  /** Keeps reads under way as far as the file is known to reach; beyond that a single one. */
  private void askAhead() throws IOException {
    do {
      long known = knownBytes - askedTo;
      int most = Math.min(pieceBytes, sftp.readBytes());
      int length = (int) (known > 0 ? Math.min(known, most) : most);
      pieceBytes = Math.min(2 * pieceBytes, MOST_PIECE_BYTES);
      asked.add(new Piece(SftpRangeReader.askRead(sftp, handle, askedTo, length), askedTo, length));
      askedTo += length;
    } while (askedTo < knownBytes && askedTo - position < ahead);
    ahead = Math.min(ahead * 2, MOST_BYTES_AHEAD);
  }

  /** Forgets what is under way; the next read starts where the reader stands. */
  private void drop() {
    List<Integer> ids = new ArrayList<>();
    asked.forEach(piece -> ids.add(piece.id()));
    asked.clear();
    sftp.forget(ids);
    askedTo = position;
  }
}
