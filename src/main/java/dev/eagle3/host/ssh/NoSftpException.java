package dev.eagle3.host.ssh;

import java.io.IOException;

/** The server offers no SFTP that works; the connection itself is fine. */
final class NoSftpException extends IOException {
  private static final long serialVersionUID = 1L;

  NoSftpException(String message, Throwable cause) {
    super(message, cause);
  }
}
