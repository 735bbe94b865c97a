package dev.eagle3.run;

import java.util.List;

/**
 * What the kernel of a host noted while a run lived. Its lines are texts from the host: whoever
 * prints them escapes them.
 *
 * @param readable whether its log could be read and goes back that far; else no line proves nothing
 * @param lines its lines of that time, oldest first
 * @param groups how often it ended processes for lack of memory in the control groups of the login
 */
public record KernelNotes(boolean readable, List<String> lines, List<Group> groups) {
  /** Nothing is known. */
  public static final KernelNotes NONE = new KernelNotes(false, List.of(), List.of());

  /** Copies the lists. */
  public KernelNotes {
    lines = List.copyOf(lines);
    groups = List.copyOf(groups);
  }

  /**
   * A control group.
   *
   * @param path where it is mounted
   * @param kills processes that were ended there since it was made
   * @param limitBytes its memory limit; -1 for none
   */
  public record Group(String path, long kills, long limitBytes) {}
}
