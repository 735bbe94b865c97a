package dev.eagle3.report;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The processes that hold GPUs as a table whose columns are as wide as they must be. */
final class HolderTable {
  private static final List<String> HEAD =
      List.of("what", "pid", "user", "age", "memory", "gpu", "unit", "command");

  private static final List<Boolean> RIGHT =
      List.of(false, true, false, true, true, false, false, false);

  private static final long MIB = 1024 * 1024;
  private static final int MOST_CELL = 40;
  private static final int LEAST_COMMAND = 20;

  private HolderTable() {}

  /**
   * The rows below a row of headings, each with the label {@code gpus} or blanks before it.
   *
   * @param columns no row is wider, but for the least that a command needs
   */
  static List<String> lines(List<Event.Holder> holders, int columns) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    holders.forEach(holder -> rows.add(cells(holder)));
    List<Integer> widths = new ArrayList<>();
    for (int column = 0; column < HEAD.size(); column++) {
      int at = column;
      widths.add(rows.stream().mapToInt(row -> length(row.get(at))).max().orElse(0));
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      String label = lines.isEmpty() ? Labels.of("gpus") : Labels.NONE;
      lines.add(label + line(row, widths, columns - Labels.COLUMNS));
    }
    return lines;
  }

  private static String line(List<String> row, List<Integer> widths, int columns) {
    StringBuilder line = new StringBuilder();
    int last = row.size() - 1;
    for (int column = 0; column < last; column++) {
      if (widths.get(column) > 0) {
        String cell = row.get(column);
        int width = widths.get(column);
        line.append(
            RIGHT.get(column) ? Labels.rightAligned(cell, width) : Labels.padded(cell, width));
        line.append("  ");
      }
    }
    int room = Math.max(LEAST_COMMAND, columns - length(line.toString()));
    return line.append(Printable.line(row.get(last), room)).toString().stripTrailing();
  }

  private static List<String> cells(Event.Holder holder) {
    return List.of(
        Printable.line(holder.verdict(), MOST_CELL),
        Long.toString(holder.pid()),
        Printable.line(holder.user(), MOST_CELL),
        holder.ageSeconds() < 0 ? "?" : Units.duration(holder.ageSeconds()),
        holder.memoryMiB() < 0 ? "?" : Units.bytes(holder.memoryMiB() * MIB),
        holder.gpus().stream().map(String::valueOf).collect(Collectors.joining(",")),
        holder.unit().isEmpty() ? "-" : Printable.line(holder.unit(), MOST_CELL),
        holder.command());
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
