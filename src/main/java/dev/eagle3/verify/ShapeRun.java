package dev.eagle3.verify;

import dev.eagle3.tensor.TensorEntry;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Neighbouring layers of one shape and dtype.
 *
 * @param count how many layers
 * @param shape of each of them: {@code [T, H]} when all is well
 * @param dtype in torch's words
 */
public record ShapeRun(int count, List<Long> shape, String dtype) {
  /** Copies the list. */
  public ShapeRun {
    shape = List.copyOf(shape);
  }

  /** The shape as text: {@code [512, 7168]}. */
  public String shapeText() {
    return textOf(shape);
  }

  boolean isOf(TensorEntry tensor) {
    return shape.equals(tensor.shape()) && dtype.equals(tensor.dtype());
  }

  ShapeRun longer() {
    return new ShapeRun(count + 1, shape, dtype);
  }

  static String textOf(List<Long> shape) {
    return shape.stream()
        .map(size -> String.format(Locale.ROOT, "%d", size))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
