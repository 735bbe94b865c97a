package dev.eagle3.verify.deep;

import dev.eagle3.files.FileTree;
import dev.eagle3.tensor.TensorEntry;
import java.io.IOException;
import java.util.Arrays;

/** Compares two layers bit by bit, reading both again, a few rows at a time. */
final class LayerMatcher {
  private static final int BYTES_AT_A_TIME = 1 << 20;

  private final LayerRows rows;
  private final LayerRows others;

  /** Compares layers of files of one tree. */
  LayerMatcher(FileTree files) {
    this(files, files);
  }

  /** Compares layers of a file of one tree with those of a file of another. */
  LayerMatcher(FileTree files, FileTree others) {
    this.rows = new LayerRows(files);
    this.others = new LayerRows(others);
  }

  /** Whether both are of one shape and dtype, and hold the same bits. */
  boolean isEqual(String file, TensorEntry layer, String otherFile, TensorEntry other)
      throws IOException {
    if (!layer.shape().equals(other.shape())
        || !layer.dtype().equals(other.dtype())
        || !LayerRows.canRead(layer)
        || !LayerRows.canRead(other)) {
      return false;
    }
    int elementBytes = Element.of(layer.dtype()).orElseThrow().bytes();
    long rowBytes = Math.max(1, layer.shape().get(1) * elementBytes);
    int step = (int) Math.max(1, BYTES_AT_A_TIME / rowBytes);
    long count = layer.shape().get(0);
    for (long row = 0; row < count; row += step) {
      int now = (int) Math.min(step, count - row);
      if (!Arrays.equals(
          rows.bytes(file, layer, row, now), others.bytes(otherFile, other, row, now))) {
        return false;
      }
    }
    return true;
  }
}
