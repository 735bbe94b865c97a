package dev.eagle3.verify.deep;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileTree;
import dev.eagle3.tensor.TensorEntry;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;

/** Rows of a matrix from all over it, in one call: those of a model's head for some tokens. */
public final class ScatteredRows {
  private static final long MOST_BYTES = 64L << 20;

  private final FileTree files;

  /** Reads through {@code files}, which stays open. */
  public ScatteredRows(FileTree files) {
    this.files = files;
  }

  /**
   * These rows, one after another, in the order asked for: {@code wanted.size() × H} numbers.
   *
   * @param path the file that the matrix was read from
   * @param matrix one that {@link LayerRows#canRead}, each row of which is one piece
   * @throws IllegalArgumentException for rows that the matrix does not have, or more than 64 MiB
   * @throws IOException when the bytes cannot be had, or the file has become shorter
   */
  public float[] read(String path, TensorEntry matrix, List<Long> wanted) throws IOException {
    Element element = Element.of(matrix.dtype()).orElseThrow(IllegalArgumentException::new);
    RowPlace place = new RowPlace(matrix, element.bytes());
    if (!LayerRows.canRead(matrix)
        || !place.isInPieces()
        || place.rowBytes() > MOST_BYTES / Math.max(1, wanted.size())
        || wanted.stream().anyMatch(row -> row < 0 || row >= place.rows())) {
      throw new IllegalArgumentException(wanted.size() + " rows of " + matrix.shape());
    }
    List<ByteRange> ranges =
        wanted.stream().map(row -> new ByteRange(place.row(row), (int) place.rowBytes())).toList();
    List<byte[]> answers = files.read(path, ranges);
    int columns = (int) place.columns();
    float[] numbers = new float[columns * wanted.size()];
    for (int row = 0; row < wanted.size(); row++) {
      byte[] bytes = answers.get(row);
      if (bytes.length < place.rowBytes()) {
        throw new EOFException(path + ": the file became shorter");
      }
      for (int column = 0; column < columns; column++) {
        numbers[row * columns + column] = (float) element.value(bytes, column * element.bytes());
      }
    }
    return numbers;
  }
}
