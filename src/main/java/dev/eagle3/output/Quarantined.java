package dev.eagle3.output;

import java.util.List;

/**
 * What became of files that were to go into quarantine.
 *
 * @param moved those that went
 * @param left those that stay, and why
 */
public record Quarantined(List<BadFile> moved, List<Left> left) {
  /** Copies the lists. */
  public Quarantined {
    moved = List.copyOf(moved);
    left = List.copyOf(left);
  }

  /** A file that stays where it is, and why. */
  public record Left(BadFile file, String why) {}
}
