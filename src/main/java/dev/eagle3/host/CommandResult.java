package dev.eagle3.host;

/**
 * What a command did.
 *
 * @param ending how it ended
 * @param stdout its standard output as UTF-8, cut at the command's limit
 * @param stderr its standard error likewise
 * @param cut whether either was cut
 */
public record CommandResult(Ending ending, String stdout, String stderr, boolean cut) {
  /** Whether it exited with 0. */
  public boolean succeeded() {
    return ending instanceof Ending.Exited exited && exited.code() == 0;
  }
}
