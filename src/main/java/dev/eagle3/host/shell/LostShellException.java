package dev.eagle3.host.shell;

import java.io.IOException;

/** The shell that served files is gone, or does not answer as it should: another one may. */
final class LostShellException extends IOException {
  private static final long serialVersionUID = 1L;

  LostShellException(String message, Throwable cause) {
    super(message, cause);
  }

  LostShellException(String message) {
    super(message);
  }
}
