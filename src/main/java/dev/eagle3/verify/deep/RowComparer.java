package dev.eagle3.verify.deep;

import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds layers and rows of one file that are equal and should not be. They are told by 64 bits;
 * before anything is said, examples are read again and compared bit by bit.
 */
final class RowComparer {
  /** A row of fewer numbers may well be equal to another by chance. */
  private static final int FEWEST_COLUMNS = 8;

  /** Embeddings are told by this many ids that come again, each with the very same row. */
  private static final int FEWEST_REPEATED_IDS = 3;

  private static final int FEWEST_COPIED_ROWS = 3;

  private static final int MOST_EXAMPLES = 4;

  private final FileTree files;

  RowComparer(FileTree files) {
    this.files = files;
  }

  /** What is equal in the file and should not be. Reads a few rows again. */
  List<Finding> compare(String file, FileValues values) throws IOException {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(identicalLayers(file, values.layers()));
    List<String> embeddings = new ArrayList<>();
    List<String> copied = new ArrayList<>();
    for (LayerValues layer : values.layers()) {
      Repeats repeats = Repeats.of(layer);
      if (repeats.isEmbeddings() && isEqual(file, layer.layer(), repeats.sameIds())) {
        embeddings.add(
            layer.path()
                + " holds embeddings: each of the "
                + Words.count(repeats.repeatedIds())
                + " ids that come again has the very same row each time");
      } else if (repeats.copiedRows().count() >= FEWEST_COPIED_ROWS
          && isEqual(file, layer.layer(), repeats.otherIds())) {
        copied.add(
            layer.path()
                + " has rows equal to a row of another token above: "
                + repeats.copiedRows().words());
      }
    }
    add(findings, "values.embeddings", file, "rows that depend on all tokens so far", embeddings);
    add(findings, "values.rows-copied", file, "a row of its own for each token", copied);
    return findings;
  }

  private static void add(
      List<Finding> findings, String code, String file, String expected, List<String> lines) {
    if (lines.size() == 1) {
      findings.add(Finding.of(code, Severity.ERROR, file, expected, lines.get(0)));
    } else if (lines.size() > 1) {
      String actual = lines.size() + " layers: " + lines.get(0);
      findings.add(new Finding(code, Severity.ERROR, file, expected, actual, Words.first(lines)));
    }
  }

  private List<Finding> identicalLayers(String file, List<LayerValues> layers) throws IOException {
    Map<Long, LayerValues> first = new HashMap<>();
    List<String> lines = new ArrayList<>();
    for (LayerValues layer : layers) {
      if (layer.isAllZero() || layer.totals().elements() < FEWEST_COLUMNS) {
        continue;
      }
      LayerValues before = first.putIfAbsent(layer.hash(), layer);
      if (before != null
          && before.tokens().equals(layer.tokens())
          && before.layer().dtype().equals(layer.layer().dtype())
          && before.layer().shape().equals(layer.layer().shape())
          && new LayerMatcher(files).isEqual(file, before.layer(), file, layer.layer())) {
        lines.add(layer.path() + " is " + before.path() + ", bit by bit");
      }
    }
    List<Finding> findings = new ArrayList<>();
    add(findings, "values.identical-layers", file, "layers that differ", lines);
    return findings;
  }

  private boolean isEqual(String file, TensorEntry layer, List<long[]> pairs) throws IOException {
    LayerRows rows = new LayerRows(files);
    if (!LayerRows.canRead(layer)) {
      return false;
    }
    for (long[] pair : pairs) {
      if (!Arrays.equals(
          rows.bytes(file, layer, pair[0], 1), rows.bytes(file, layer, pair[1], 1))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Rows of a layer that are equal, told by their hashes.
   *
   * @param repeatedIds how many ids come again
   * @param isEmbeddings whether all rows of each of them are equal, and those of others differ
   * @param sameIds examples of equal rows of one id
   * @param copiedRows rows that are equal to one of another id above
   * @param otherIds examples of those
   */
  private record Repeats(
      long repeatedIds,
      boolean isEmbeddings,
      List<long[]> sameIds,
      RowRanges copiedRows,
      List<long[]> otherIds) {

    static Repeats of(LayerValues layer) {
      Tokens tokens = layer.tokens();
      BitSet repeated = new BitSet();
      boolean allEqual = true;
      List<long[]> same = new ArrayList<>();
      RowRanges copied = new RowRanges();
      List<long[]> other = new ArrayList<>();
      long[] hashes = layer.rowHashes();
      boolean comparable =
          layer.layer().shape().get(1) >= FEWEST_COLUMNS
              && hashes.length == tokens.ids().length
              && layer.nan().count() + layer.inf().count() + layer.zeroRows().count() == 0
              && layer.constantRows().count() == 0;
      if (!comparable) {
        return new Repeats(0, false, same, copied, other);
      }
      FirstRows ofId = new FirstRows(tokens.ids());
      FirstRows ofHash = new FirstRows(hashes);
      for (int row = 0; row < hashes.length; row++) {
        if (tokens.isPadding(row)) {
          continue;
        }
        int sameId = ofId.before(row);
        if (sameId >= 0) {
          repeated.set(sameId);
          allEqual &= hashes[sameId] == hashes[row];
          example(same, sameId, row);
        }
        int sameHash = ofHash.before(row);
        if (sameHash >= 0 && tokens.ids()[sameHash] != tokens.ids()[row]) {
          copied.add(row);
          example(other, sameHash, row);
        }
      }
      boolean embeddings =
          allEqual && repeated.cardinality() >= FEWEST_REPEATED_IDS && copied.count() == 0;
      return new Repeats(repeated.cardinality(), embeddings, same, copied, other);
    }

    private static void example(List<long[]> examples, long first, long second) {
      if (examples.size() < MOST_EXAMPLES) {
        examples.add(new long[] {first, second});
      }
    }
  }
}
