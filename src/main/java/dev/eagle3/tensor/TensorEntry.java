package dev.eagle3.tensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One tensor of a file, from the header alone.
 *
 * @param path where it stands, as in {@code hidden_states[0]} or {@code a.b[0]}
 * @param key the first name of the path ({@code hidden_states}); empty for a bare tensor
 * @param dtype in torch's words: {@code bfloat16}, {@code int64}
 * @param shape sizes; empty for a scalar
 * @param stride strides in elements, as many as sizes; none where torch has none: compressed sparse
 *     and nested ones
 * @param offset first element in its storage, in elements
 * @param storage the storage it is a view of; {@code null} for one without data of its own: meta,
 *     sparse and nested ones
 * @param layout as torch has it after {@code torch.}, "strided" for all ordinary ones, {@code
 *     sparse_coo}, {@code nested}
 * @param parts the tensors that a sparse or nested one is put together from ({@code indices},
 *     {@code values}), or the scales of a quantised one; the last name of their paths says which
 */
public record TensorEntry(
    String path,
    String key,
    String dtype,
    List<Long> shape,
    List<Long> stride,
    long offset,
    @Nullable StorageExtent storage,
    String layout,
    List<TensorEntry> parts) {

  /** Copies the lists. */
  public TensorEntry {
    shape = List.copyOf(shape);
    stride = List.copyOf(stride);
    parts = List.copyOf(parts);
  }

  /** An ordinary tensor. */
  public TensorEntry(
      String path,
      String key,
      String dtype,
      List<Long> shape,
      List<Long> stride,
      long offset,
      @Nullable StorageExtent storage) {
    this(path, key, dtype, shape, stride, offset, storage, RebuiltTensor.STRIDED, List.of());
  }

  /** The same, with values that have no place in the file: it is compressed. */
  TensorEntry withoutPlace() {
    StorageExtent moved =
        storage == null
            ? null
            : new StorageExtent(
                storage.key(),
                storage.declaredBytes(),
                -1,
                storage.storedBytes(),
                storage.usedBytes());
    List<TensorEntry> movedParts = parts.stream().map(TensorEntry::withoutPlace).toList();
    return new TensorEntry(path, key, dtype, shape, stride, offset, moved, layout, movedParts);
  }
}
