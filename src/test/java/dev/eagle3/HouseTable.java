package dev.eagle3;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table of rows and packages in {@code docs/architecture.md}. */
final class HouseTable {
  private HouseTable() {}

  /** Package name to row number; a row without a number belongs to the one above it. */
  static Map<String, Integer> read(Path page) {
    Map<String, Integer> rows = new LinkedHashMap<>();
    int number = 0;
    for (List<String> cells : MarkdownTable.rows(MarkdownTable.lines(page), "row", "package")) {
      number = cells.get(0).isEmpty() ? number : Integer.parseInt(cells.get(0));
      rows.put(MarkdownTable.code(cells.get(1)), number);
    }
    return rows;
  }
}
