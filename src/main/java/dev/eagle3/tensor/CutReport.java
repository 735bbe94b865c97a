package dev.eagle3.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Says of a file that ends too early what it needs, what it has, and how much of it is whole. */
final class CutReport {
  /** Fewer zero bytes at the end say nothing. */
  private static final int TELLING_ZEROS = 512;

  private final FileWindow window;
  private final Findings findings;

  CutReport(FileWindow window, Findings findings) {
    this.window = window;
    this.findings = findings;
  }

  /** A file that is shorter than what it declares. */
  void cut(String needs, String extent) {
    findings.error(
        "file.cut",
        needs,
        Findings.grouped(window.size()) + " bytes: " + extent,
        withZeros("writing or copying it did not finish"));
  }

  /** The facts, and whether the file ends with zeros. */
  String[] withZeros(String... facts) {
    List<String> evidence = new ArrayList<>(Arrays.asList(facts));
    int zeros = window.slice(window.tail(FileWindow.EDGE_BYTES)).zerosAtEnd();
    if (zeros >= TELLING_ZEROS) {
      evidence.add(
          "at least its last " + Findings.grouped(zeros) + " bytes are zero: lost blocks?");
    }
    return evidence.toArray(String[]::new);
  }

  /**
   * How many storages are whole.
   *
   * @param rest what is missing when all of them are
   */
  static String extent(int whole, int storages, String rest) {
    if (whole == storages) {
      return "all storages are whole, " + rest + " is not";
    }
    return whole == 0
        ? "none of its " + Findings.grouped(storages) + " storages is whole"
        : "the first " + whole + " of " + storages + " storages are whole";
  }
}
