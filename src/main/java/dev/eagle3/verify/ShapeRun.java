package dev.eagle3.verify;

import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

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

  boolean isLike(ShapeRun other) {
    return shape.equals(other.shape) && dtype.equals(other.dtype);
  }

  /** This run and, behind it, another that is like it. */
  ShapeRun with(ShapeRun next) {
    long sum = (long) count + next.count;
    return new ShapeRun((int) Math.min(sum, Integer.MAX_VALUE), shape, dtype);
  }

  // As they would be made, but compiled: those are put together anew in every process, which takes
  // longer than to read a sample.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ShapeRun run && count == run.count && isLike(run);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * count + shape.hashCode()) + dtype.hashCode();
  }

  static String textOf(List<Long> shape) {
    StringJoiner text = new StringJoiner(", ", "[", "]");
    shape.forEach(size -> text.add(Long.toString(size)));
    return text.toString();
  }
}
