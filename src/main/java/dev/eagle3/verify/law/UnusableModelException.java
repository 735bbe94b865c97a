package dev.eagle3.verify.law;

/** A model whose head cannot be used to predict tokens; the message says why, for users. */
final class UnusableModelException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableModelException(String why) {
    super(why);
  }

  /** Why, in words for users. */
  String why() {
    return String.valueOf(getMessage());
  }
}
