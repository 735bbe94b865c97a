package dev.eagle3.run;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of the processes of a run that was to end.
 *
 * @param byTerm process ids of those that ended after TERM
 * @param byKill process ids of those that needed KILL
 * @param left those that are still there
 */
public record Stopped(List<Long> byTerm, List<Long> byKill, List<Left> left) {
  private static final int MOST_NAMED = 10;

  /** Copies the lists. */
  public Stopped {
    byTerm = List.copyOf(byTerm);
    byKill = List.copyOf(byKill);
    left = List.copyOf(left);
  }

  /**
   * A process that did not end.
   *
   * @param pid its process id
   * @param user its owner
   * @param condition the letter of its state: D hangs in the kernel
   * @param command its command line, cut
   */
  public record Left(long pid, String user, String condition, String command) {
    String says() {
      return pid
          + " of "
          + user
          + (condition.equals("D") ? ", which hangs in the kernel" : "")
          + " ("
          + command.strip()
          + ")";
    }
  }

  /** Whether nothing of the run lives. */
  public boolean isOver() {
    return left.isEmpty();
  }

  /** One line about it. Users and commands in it come from the host: escape before printing. */
  public String says() {
    if (!left.isEmpty()) {
      String named =
          left.stream().limit(MOST_NAMED).map(Left::says).collect(Collectors.joining("; "));
      int more = left.size() - MOST_NAMED;
      return "did not end: " + named + (more > 0 ? "; and " + more + " more" : "");
    }
    if (byTerm.isEmpty() && byKill.isEmpty()) {
      return "nothing of it was left to end";
    }
    return byKill.isEmpty()
        ? "ended after TERM"
        : "ended; KILL was needed for "
            + byKill.size()
            + (byKill.size() == 1 ? " process" : " processes");
  }
}
