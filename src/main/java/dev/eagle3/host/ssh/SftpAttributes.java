package dev.eagle3.host.ssh;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import java.io.IOException;
import java.nio.file.FileSystemException;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.sftp.common.SftpConstants;

/**
 * Attributes of SFTP version 3: flags, then what they name (draft-ietf-secsh-filexfer-02, section
 * 5).
 *
 * @param bytes size; 0 where the server does not say
 * @param mode type and permissions as in stat(2); 0 where the server does not say
 * @param modifiedSeconds last modification; 0 where the server does not say
 */
record SftpAttributes(long bytes, int mode, long modifiedSeconds) {
  private static final int TYPE_BITS = 0170000;
  private static final int MOST_EXTENSIONS = 1000;

  /** Reads them from where the buffer stands, and leaves it after them. */
  static SftpAttributes read(Buffer buffer, String path) throws IOException {
    long flags = buffer.getUInt();
    long bytes = 0;
    int mode = 0;
    long modified = 0;
    if ((flags & SftpConstants.SSH_FILEXFER_ATTR_SIZE) != 0) {
      bytes = buffer.getLong();
    }
    if ((flags & SftpConstants.SSH_FILEXFER_ATTR_UIDGID) != 0) {
      buffer.getInt();
      buffer.getInt();
    }
    if ((flags & SftpConstants.SSH_FILEXFER_ATTR_PERMISSIONS) != 0) {
      mode = buffer.getInt();
    }
    if ((flags & SftpConstants.SSH_FILEXFER_ATTR_ACMODTIME) != 0) {
      buffer.getUInt();
      modified = buffer.getUInt();
    }
    if ((flags & SftpConstants.SSH_FILEXFER_ATTR_EXTENDED) != 0) {
      long count = buffer.getUInt();
      if (count > MOST_EXTENSIONS) {
        throw new FileSystemException(path, null, "malformed attributes");
      }
      for (long extension = 0; extension < count; extension++) {
        buffer.getBytes();
        buffer.getBytes();
      }
    }
    if (bytes < 0) {
      throw new FileSystemException(path, null, "malformed attributes: negative size");
    }
    return new SftpAttributes(bytes, mode, modified);
  }

  /** Whether the server said nothing at all, as Apache MINA SSHD does of paths below a file. */
  boolean areEmpty() {
    return bytes == 0 && mode == 0 && modifiedSeconds == 0;
  }

  FileStat stat(String path) {
    return new FileStat(path, kind(), bytes, modifiedSeconds, mode & 0777);
  }

  private FileKind kind() {
    return switch (mode & TYPE_BITS) {
      case 0100000 -> FileKind.FILE;
      case 0040000 -> FileKind.FOLDER;
      case 0120000 -> FileKind.LINK;
      default -> FileKind.OTHER;
    };
  }
}
