package dev.eagle3.extract;

/** Asks before something is destroyed. */
@FunctionalInterface
public interface Questioner {
  /**
   * Whether to go on; blocks until there is an answer.
   *
   * @param question what would be done, in full; ends with a question mark
   * @throws dev.eagle3.outcome.Failure {@code REFUSED} where nobody can be asked
   */
  boolean agrees(String question);
}
