package dev.eagle3.watch;

import dev.eagle3.host.ScriptAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the processes of a run did between two looks.
 *
 * @param processes those that were there both times, the busiest first
 * @param seconds how long it was between the looks
 */
record Activity(List<Worker> processes, double seconds) {
  /** Nothing is known. */
  static final Activity UNKNOWN = new Activity(List.of(), 0);

  /** Less of a processor than this is no work: threads that look for work now and then. */
  private static final double LEAST_SHARE = 0.1;

  private static final long LEAST_BYTES = 1 << 20;
  private static final int MOST_NAMED = 12;

  Activity {
    processes = List.copyOf(processes);
  }

  /**
   * One process.
   *
   * @param condition letter of its state
   * @param cpuSeconds processor time that it spent between the looks
   * @param readBytes what it read between the looks; -1 when that is not to be seen
   * @param waits where it waits in the kernel; - when that is not to be seen
   * @param name a text from the host
   */
  record Worker(
      long pid, char condition, double cpuSeconds, long readBytes, String waits, String name) {
    String says() {
      String how =
          switch (condition) {
            case 'R' -> "runs";
            case 'D' -> "waits in the kernel for a disk or a driver";
            case 'T' -> "is stopped by a signal";
            case 't' -> "is held by a debugger";
            default -> "sleeps";
          };
      return "pid "
          + pid
          + " "
          + name
          + " "
          + how
          + (waits.equals("-") ? "" : " in " + waits)
          + String.format(Locale.ROOT, ", %.1f s of processor time", cpuSeconds)
          + (readBytes < 0 ? "" : ", " + readBytes + " bytes read");
    }
  }

  /** What two answers of {@code look-activity.sh} say; its first comment describes the lines. */
  static Activity between(ScriptAnswer before, ScriptAnswer after, double seconds) {
    long ticks =
        after.rows("ticks").stream()
            .filter(row -> row.size() == 1 && number(row.get(0)) > 0)
            .map(row -> number(row.get(0)))
            .findFirst()
            .orElse(100L);
    Map<Long, List<String>> first =
        rows(before).stream()
            .collect(Collectors.toMap(row -> number(row.get(0)), Function.identity(), (a, b) -> a));
    List<Worker> processes = new ArrayList<>();
    for (List<String> row : rows(after)) {
      List<String> old = first.get(number(row.get(0)));
      if (old != null) {
        long cpu = Math.max(0, number(row.get(2)) - number(old.get(2)));
        boolean seen = number(row.get(3)) >= 0 && number(old.get(3)) >= 0;
        processes.add(
            new Worker(
                number(row.get(0)),
                row.get(1).isEmpty() ? '?' : row.get(1).charAt(0),
                (double) cpu / ticks,
                seen ? Math.max(0, number(row.get(3)) - number(old.get(3))) : -1,
                row.get(4),
                row.get(5)));
      }
    }
    processes.sort(Comparator.comparingDouble((Worker one) -> -one.cpuSeconds()));
    return new Activity(processes, seconds);
  }

  /** Whether they compute or read, all together. */
  boolean isWork() {
    double cpu = processes.stream().mapToDouble(Worker::cpuSeconds).sum();
    long read = processes.stream().mapToLong(one -> Math.max(0, one.readBytes())).sum();
    return (cpu >= LEAST_SHARE * seconds && cpu > 0) || read >= LEAST_BYTES;
  }

  /** A line for each of the busiest. Names come from the host: escape before printing. */
  List<String> says() {
    List<String> lines =
        new ArrayList<>(processes.stream().limit(MOST_NAMED).map(Worker::says).toList());
    if (processes.size() > MOST_NAMED) {
      lines.add("and " + (processes.size() - MOST_NAMED) + " more processes");
    }
    return lines;
  }

  private static List<List<String>> rows(ScriptAnswer answer) {
    return answer.rows("process").stream()
        .filter(row -> row.size() == 6 && number(row.get(0)) > 0 && number(row.get(2)) >= 0)
        .toList();
  }

  private static long number(String digits) {
    return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : -1;
  }
}
