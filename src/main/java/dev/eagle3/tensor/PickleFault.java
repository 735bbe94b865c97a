package dev.eagle3.tensor;

/** Why an opcode of a pickle could not be carried out. */
final class PickleFault extends Exception {
  private static final long serialVersionUID = 1L;

  /** What kind of fault. */
  enum Kind {
    /** The bytes end before the pickle does. */
    ENDS_EARLY,
    /** No pickle that Python writes has this. */
    INVALID,
    /** It asks for more than the limits allow. */
    LIMIT
  }

  private final Kind kind;

  PickleFault(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  static PickleFault invalid(String message) {
    return new PickleFault(Kind.INVALID, message);
  }

  static PickleFault limit(String message) {
    return new PickleFault(Kind.LIMIT, message);
  }

  Kind kind() {
    return kind;
  }

  String problem() {
    return String.valueOf(getMessage());
  }
}
