package dev.eagle3.tensor;

/** Why a call that should give a tensor gives none: torch could not rebuild it either. */
final class UnreadableTensor extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableTensor(String says) {
    super(says, null, false, false);
  }

  String says() {
    return String.valueOf(getMessage());
  }
}
