package dev.eagle3.transfer;

import dev.eagle3.outcome.Exit;

/**
 * What a pull did.
 *
 * @param pulled files that were brought home, whole
 * @param equal files that were home already
 * @param failed files that are not home; each was reported
 * @param broken files that are home, byte for byte, but are no whole tensor files on the host
 *     either
 * @param bytes bytes that travelled
 */
public record PullResult(int pulled, int equal, int failed, int broken, long bytes) {
  /** {@code TRANSFER} when a file is missing, else {@code WRONG} when one is broken. */
  public Exit exit() {
    if (failed > 0) {
      return Exit.TRANSFER;
    }
    return broken > 0 ? Exit.WRONG : Exit.DONE;
  }

  /** How many files there were. */
  public int total() {
    return pulled + equal + failed;
  }
}
