package dev.eagle3.verify.deep;

import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import java.util.Objects;

/**
 * Where the rows of a matrix lie in its file, by its strides. All figures are bytes. Figures that a
 * long cannot hold become {@link Long#MAX_VALUE}, which lies outside of every file.
 */
final class RowPlace {
  private final long rows;
  private final long columns;
  private final long first;
  private final long rowStep;
  private final long columnStep;
  private final int elementBytes;
  private final long storageStart;

  /**
   * The place of a matrix with a storage.
   *
   * @param elementBytes bytes of one element
   */
  RowPlace(TensorEntry matrix, int elementBytes) {
    StorageExtent storage = Objects.requireNonNull(matrix.storage());
    this.rows = matrix.shape().get(0);
    this.columns = matrix.shape().get(1);
    this.elementBytes = elementBytes;
    this.first = product(matrix.offset(), elementBytes);
    this.rowStep = product(matrix.stride().get(0), elementBytes);
    this.columnStep = columns == 1 ? elementBytes : product(matrix.stride().get(1), elementBytes);
    this.storageStart = storage.fileOffset();
  }

  long rows() {
    return rows;
  }

  long columns() {
    return columns;
  }

  int elementBytes() {
    return elementBytes;
  }

  long rowStep() {
    return rowStep;
  }

  long columnStep() {
    return columnStep;
  }

  /** Whether the elements of a row lie closer together than its rows, as they normally do. */
  boolean isByRow() {
    return rows <= 1 || columnStep <= rowStep || columnStep == elementBytes;
  }

  /** Whether each row is one piece, and no row begins before the one above. */
  boolean isInPieces() {
    return columnStep == elementBytes && rowStep >= 0;
  }

  /** Whether the whole matrix is one piece. */
  boolean isContiguous() {
    return isInPieces() && columns > 0 && rowStep == rowBytes();
  }

  /** From the first byte of a row to behind its last. */
  long rowBytes() {
    return columns == 0 ? 0 : sum(product(columns - 1, columnStep), elementBytes);
  }

  /** Where a row begins in the file. */
  long row(long row) {
    return sum(storageStart, rowInStorage(row));
  }

  /** Where a row begins in the storage. */
  long rowInStorage(long row) {
    return sum(first, product(row, rowStep));
  }

  /** Where the matrix ends in its storage; 0 when it is empty. */
  long end() {
    return rows == 0 || columns == 0 ? 0 : sum(rowInStorage(rows - 1), rowBytes());
  }

  /** Whether some row of the other lies between the first and the last of this one. */
  boolean overlaps(RowPlace other) {
    return rowInStorage(0) < other.end() && other.rowInStorage(0) < end();
  }

  private static long product(long left, long right) {
    long high = Math.multiplyHigh(left, right);
    long low = left * right;
    return left < 0 || right < 0 || high != 0 || low < 0 ? Long.MAX_VALUE : low;
  }

  private static long sum(long left, long right) {
    long sum = left + right;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
