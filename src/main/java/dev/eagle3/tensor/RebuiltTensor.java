package dev.eagle3.tensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tensor as the pickle describes it: a view of a storage, or put together from such views.
 *
 * @param stride as many as sizes; none where torch has none (compressed sparse, nested)
 * @param storage null for one without data of its own
 * @param layout in torch's words: "strided", {@code sparse_coo}
 * @param parts the tensors that it is put together from, or that belong to it
 */
record RebuiltTensor(
    Dtype dtype,
    List<Long> shape,
    List<Long> stride,
    long offset,
    @Nullable StorageReference storage,
    String layout,
    List<Part> parts) {

  static final String STRIDED = "strided";

  /** A tensor within another, such as the indices of a sparse one. */
  record Part(String name, RebuiltTensor tensor) {}

  /** An ordinary tensor. */
  RebuiltTensor(
      Dtype dtype,
      List<Long> shape,
      List<Long> stride,
      long offset,
      @Nullable StorageReference storage) {
    this(dtype, shape, stride, offset, storage, STRIDED, List.of());
  }

  RebuiltTensor with(List<Part> newParts) {
    return new RebuiltTensor(dtype, shape, stride, offset, storage, layout, newParts);
  }

  /** For messages: {@code float32 [3, 4]}. */
  String words() {
    return Findings.shortened(dtype.word()) + " " + shape;
  }

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

  /**
   * How many elements of its storage it takes: {@link #extent}, but where elements share bytes,
   * those, each row from a byte of its own ({@code get_sub_byte_tensor_size} of torch).
   */
  long room() {
    int perByte = dtype.perByte();
    if (perByte == 1 || shape.isEmpty()) {
      return extent();
    }
    long columns = shape.get(shape.size() - 1);
    long elements = elements();
    return columns == 0 || elements <= 0
        ? 0
        : elements / columns * ((columns + perByte - 1) / perByte);
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
