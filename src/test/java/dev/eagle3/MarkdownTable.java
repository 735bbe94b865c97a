package dev.eagle3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tables of our own pages, as lists of cells. */
final class MarkdownTable {
  private MarkdownTable() {}

  /** The lines of a page. */
  static List<String> lines(Path page) {
    try {
      return Files.readAllLines(page);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(page + ": every page of docs must be there", unreadable);
    }
  }

  /**
   * The rows of the first table whose header begins with {@code header}, without header and rule.
   * Cells keep their backticks.
   *
   * @throws AssertionError when there is no such table
   */
  static List<List<String>> rows(List<String> page, String... header) {
    List<String> wanted = Arrays.asList(header);
    for (int line = 0; line + 1 < page.size(); line++) {
      List<String> cells = cells(page.get(line));
      if (cells.size() >= wanted.size() && cells.subList(0, wanted.size()).equals(wanted)) {
        List<List<String>> rows = new ArrayList<>();
        for (int row = line + 2; row < page.size() && page.get(row).startsWith("|"); row++) {
          rows.add(cells(page.get(row)));
        }
        return rows;
      }
    }
    throw new AssertionError("no table with the header " + wanted);
  }

  /** What stands between backticks, where the whole cell does. */
  static String code(String cell) {
    return cell.startsWith("`") && cell.endsWith("`") ? cell.substring(1, cell.length() - 1) : cell;
  }

  private static List<String> cells(String line) {
    if (!line.startsWith("|")) {
      return List.of();
    }
    String inner = line.strip().substring(1);
    return Arrays.stream(inner.split("\\|")).map(String::strip).toList();
  }
}
