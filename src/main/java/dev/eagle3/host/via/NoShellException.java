package dev.eagle3.host.via;

/** A command gave no shell; the message says why, in words that follow the command's name. */
final class NoShellException extends Exception {
  private static final long serialVersionUID = 1L;

  NoShellException(String why) {
    super(why);
  }

  /** The reason. */
  String why() {
    return String.valueOf(getMessage());
  }
}
