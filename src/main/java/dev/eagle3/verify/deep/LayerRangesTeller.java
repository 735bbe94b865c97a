package dev.eagle3.verify.deep;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says how large the values of each layer are over all files. Information, never a verdict. */
final class LayerRangesTeller {
  private static final int MOST_LAYERS = 256;

  private final Map<String, Range> byLayer = new LinkedHashMap<>();
  private long files;

  /** All files' values of one layer, and the file with the largest. */
  private record Range(Tally.Totals totals, String largestIn) {}

  /** Takes what was found in a file. From many threads. */
  synchronized void add(String path, FileValues values) {
    files++;
    for (LayerValues layer : values.layers()) {
      Range before = byLayer.get(layer.path());
      if (before == null && byLayer.size() >= MOST_LAYERS) {
        continue;
      }
      Tally.Totals totals = layer.totals();
      boolean larger =
          before == null
              || totals.largest() > before.totals().largest()
              || (totals.largest() == before.totals().largest()
                  && path.compareTo(before.largestIn()) < 0);
      byLayer.put(
          layer.path(),
          new Range(
              before == null ? totals : before.totals().plus(totals),
              larger || before == null ? path : before.largestIn()));
    }
  }

  /** One note with a line for each layer; none when nothing was read. */
  synchronized List<Finding> findings() {
    List<String> lines = new ArrayList<>();
    byLayer.forEach(
        (layer, range) ->
            lines.add(
                layer
                    + ": RMS "
                    + Words.number(range.totals().rms())
                    + ", largest "
                    + Words.number(range.totals().largest())
                    + " in "
                    + range.largestIn()));
    if (lines.isEmpty()) {
      return List.of();
    }
    String subject = Words.count(files) + (files == 1 ? " file" : " files");
    return List.of(
        new Finding("values.range", Severity.NOTE, subject, "", "values read, by layer", lines));
  }
}
