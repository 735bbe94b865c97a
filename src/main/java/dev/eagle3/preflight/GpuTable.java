package dev.eagle3.preflight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What {@code nvidia-smi --query-gpu=... --format=csv} printed: a head with names and units ({@code
 * memory.total [MiB]}), then a row for each GPU. Which fields there are depends on the driver.
 *
 * @param rows for each GPU its fields by name, without units of the head; what the driver does not
 *     know is not there
 */
record GpuTable(List<Map<String, String>> rows) {
  /** A hostile answer is cut: no machine has more. */
  private static final int MOST = 256;

  /** The table in an answer of {@code probe-machine}; empty when there is none. */
  static GpuTable of(Rows machine) {
    List<List<String>> lines = machine.all("gpu-csv", 1);
    List<Map<String, String>> rows = new ArrayList<>();
    if (lines.isEmpty()) {
      return new GpuTable(rows);
    }
    List<String> head =
        cells(lines.get(0).get(0)).stream().map(cell -> cell.split(" \\[", 2)[0]).toList();
    for (List<String> line : lines.subList(1, Math.min(lines.size(), MOST))) {
      List<String> cells = cells(line.get(0));
      if (cells.size() == head.size()) {
        rows.add(row(head, cells));
      }
    }
    return new GpuTable(rows);
  }

  /** A field of the first GPU. */
  Optional<String> first(String field) {
    return rows.stream().findFirst().flatMap(row -> Optional.ofNullable(row.get(field)));
  }

  /** The whole number at the start of a field: {@code 97887 MiB}. */
  static OptionalLong number(Map<String, String> row, String field) {
    return Rows.number(row.getOrDefault(field, "").split(" ", 2)[0]);
  }

  private static Map<String, String> row(List<String> head, List<String> cells) {
    Map<String, String> row = new LinkedHashMap<>();
    for (int at = 0; at < head.size(); at++) {
      String cell = cells.get(at);
      if (!cell.startsWith("[") && !cell.equals("N/A")) {
        row.put(head.get(at), cell);
      }
    }
    return row;
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
  }
}
