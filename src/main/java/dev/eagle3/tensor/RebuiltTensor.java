package dev.eagle3.tensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tensor as the pickle describes it: a view of a storage.
 *
 * @param storage null for one without data
 */
record RebuiltTensor(
    Dtype dtype,
    List<Long> shape,
    List<Long> stride,
    long offset,
    @Nullable StorageReference storage) {

  /**
   * How many elements of the storage it reaches over, from its offset on: 0 for an empty one; -1
   * when the numbers do not fit a long.
   */
  long extent() {
    long extent = 1;
    for (int index = 0; index < shape.size(); index++) {
      long size = shape.get(index);
      if (size == 0) {
        return 0;
      }
      long step = stride.get(index);
      if (Math.multiplyHigh(size - 1, step) != 0 || (size - 1) * step < 0) {
        return -1;
      }
      extent += (size - 1) * step;
      if (extent < 0) {
        return -1;
      }
    }
    return offset > Long.MAX_VALUE - extent ? -1 : extent;
  }

  /** How many elements it has; -1 when that does not fit a long. */
  long elements() {
    long product = 1;
    for (long size : shape) {
      if (size == 0) {
        return 0;
      }
    }
    for (long size : shape) {
      if (Math.multiplyHigh(product, size) != 0 || product * size < 0) {
        return -1;
      }
      product *= size;
    }
    return product;
  }
}
