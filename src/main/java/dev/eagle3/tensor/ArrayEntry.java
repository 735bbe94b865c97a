package dev.eagle3.tensor;

import java.util.List;

/**
 * An array or a number of NumPy that a pickle holds itself.
 *
 * @param path where it stands, as for tensors
 * @param dtype in NumPy's words: {@code float32}, {@code >f4} for big-endian values
 * @param shape sizes; empty for a number
 */
public record ArrayEntry(String path, String dtype, List<Long> shape) {
  /** Copies the list. */
  public ArrayEntry {
    shape = List.copyOf(shape);
  }
}
