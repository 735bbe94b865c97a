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
 * @param stride strides in elements, as many as sizes
 * @param offset first element in its storage, in elements
 * @param storage the storage it is a view of; {@code null} for one without data (meta)
 */
public record TensorEntry(
    String path,
    String key,
    String dtype,
    List<Long> shape,
    List<Long> stride,
    long offset,
    @Nullable StorageExtent storage) {

  /** Copies the lists. */
  public TensorEntry {
    shape = List.copyOf(shape);
    stride = List.copyOf(stride);
  }
}
