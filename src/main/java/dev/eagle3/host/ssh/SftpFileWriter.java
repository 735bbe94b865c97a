package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.sftp.common.SftpConstants;

/**
 * Writes one file whole: under a name beside it that nothing else has, synced, given its
 * permissions, then renamed over the old one. A writer serves one call.
 */
final class SftpFileWriter {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String RENAME_OVER = "posix-rename@openssh.com";
  private static final String SYNC = "fsync@openssh.com";
  private static final int WRITE_BYTES = 32 << 10;
  private static final int MOST_WRITES_AHEAD = 64;
  private static final int OWNER_ONLY = 0600;

  private final SftpConnection sftp;
  private final String path;
  private final String temporary;

  SftpFileWriter(SftpConnection sftp, String path) {
    this.sftp = sftp;
    this.path = path;
    this.temporary =
        path.substring(0, path.lastIndexOf('/') + 1)
            + ".eagle3-"
            + HexFormat.of().toHexDigits(RANDOM.nextLong())
            + ".tmp";
  }

  /** As {@link dev.eagle3.files.FileTree#write}. */
  void write(byte[] content, int permissions) throws IOException {
    if (!sftp.offers(RENAME_OVER)) {
      throw new FileSystemException(
          path, null, "the server cannot replace a file in one step (" + RENAME_OVER + ")");
    }
    byte[] handle = create();
    boolean done = false;
    try {
      fill(handle, content, permissions);
      Buffer body = SftpConnection.body(RENAME_OVER);
      body.putString(temporary, UTF_8);
      body.putString(path, UTF_8);
      sftp.ask(SftpConstants.SSH_FXP_EXTENDED, body).expectDone(path);
      done = true;
    } finally {
      if (!done && sftp.isOpen()) {
        sftp.forget(
            List.of(sftp.send(SftpConstants.SSH_FXP_REMOVE, SftpConnection.body(temporary))));
      }
    }
  }

  private byte[] create() throws IOException {
    Buffer body = SftpConnection.body(temporary);
    body.putUInt(
        SftpConstants.SSH_FXF_WRITE | SftpConstants.SSH_FXF_CREAT | SftpConstants.SSH_FXF_EXCL);
    putPermissions(body, OWNER_ONLY);
    return sftp.ask(SftpConstants.SSH_FXP_OPEN, body)
        .expect(SftpConstants.SSH_FXP_HANDLE, path)
        .body()
        .getBytes();
  }

  /** Writes, sets permissions, syncs and closes, all under way together. */
  private void fill(byte[] handle, byte[] content, int permissions) throws IOException {
    Deque<Integer> asked = new ArrayDeque<>();
    boolean closed = false;
    try {
      for (int from = 0; from < content.length; from += WRITE_BYTES) {
        int length = Math.min(WRITE_BYTES, content.length - from);
        Buffer body = new ByteArrayBuffer(handle.length + length + 64);
        body.putBytes(handle);
        body.putLong(from);
        body.putBytes(content, from, length);
        asked.add(sftp.send(SftpConstants.SSH_FXP_WRITE, body));
        if (asked.size() > MOST_WRITES_AHEAD) {
          sftp.receive(asked.remove()).expectDone(path);
        }
      }
      Buffer attributes = SftpConnection.body(handle);
      putPermissions(attributes, permissions);
      asked.add(sftp.send(SftpConstants.SSH_FXP_FSETSTAT, attributes));
      if (sftp.offers(SYNC)) {
        Buffer sync = SftpConnection.body(SYNC);
        sync.putBytes(handle);
        asked.add(sftp.send(SftpConstants.SSH_FXP_EXTENDED, sync));
      }
      asked.add(sftp.send(SftpConstants.SSH_FXP_CLOSE, SftpConnection.body(handle)));
      closed = true;
      while (!asked.isEmpty()) {
        sftp.receive(asked.remove()).expectDone(path);
      }
    } finally {
      if (!closed) {
        asked.add(sftp.send(SftpConstants.SSH_FXP_CLOSE, SftpConnection.body(handle)));
      }
      sftp.forget(asked);
    }
  }

  private static void putPermissions(Buffer body, int permissions) {
    body.putUInt(SftpConstants.SSH_FILEXFER_ATTR_PERMISSIONS);
    body.putInt(permissions);
  }
}
