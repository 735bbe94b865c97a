package dev.eagle3.host.ssh;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A key cannot be used; the message is a clause for the user that names it, safe to print. */
final class LoginKeyException extends Exception {
  /** Stands for the words that have the user's own ssh connect. */
  static final String LET_SSH_CONNECT = "--via";

  private static final long serialVersionUID = 1L;

  private final @Nullable String tryNext;

  LoginKeyException(String clause) {
    super(clause);
    this.tryNext = null;
  }

  LoginKeyException(String clause, String tryNext) {
    super(clause);
    this.tryNext = tryNext;
  }

  /** The clause. */
  String clause() {
    return String.valueOf(getMessage());
  }

  /** What makes the key usable. */
  Optional<String> tryNext() {
    return Optional.ofNullable(tryNext);
  }
}
