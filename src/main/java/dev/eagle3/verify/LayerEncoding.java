package dev.eagle3.verify;

import dev.eagle3.tensor.TensorEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** How the layers of one sample lie in a file. T tokens, H hidden size, L layers. */
public enum LayerEncoding {
  /** A list of L tensors {@code [T, H]}: {@code hidden_states[0]}, {@code hidden_states[1]}, … */
  LIST_OF_LAYERS(2, "L × [T, H]"),

  /** One tensor {@code [T, L, H]}. */
  STACKED_ON_AXIS_1(3, "[T, L, H]"),

  /** One tensor {@code [L, T, H]}. */
  STACKED_ON_AXIS_0(3, "[L, T, H]"),

  /** One tensor {@code [T, L·H]}: the layers side by side. */
  CONCATENATED(2, "[T, L*H]"),

  /** One tensor {@code [T, H]} of one layer. */
  ONE_LAYER(2, "[T, H]");

  private final int rank;
  private final String words;

  LayerEncoding(int rank, String words) {
    this.rank = rank;
    this.words = words;
  }

  /** How many sizes each tensor under the key has, without one for a batch. */
  public int rank() {
    return rank;
  }

  /** The sizes in words: {@code [T, L, H]}. */
  String words() {
    return words;
  }

  /** Whether the layers lie in a single tensor. */
  public boolean isOneTensor() {
    return this != LIST_OF_LAYERS;
  }

  /** Whether the tensors under {@code key} lie in this way, whatever their shapes. */
  boolean holds(String key, List<TensorEntry> tensors) {
    if (isOneTensor()) {
      return tensors.size() == 1 && tensors.get(0).path().equals(key);
    }
    for (int index = 0; index < tensors.size(); index++) {
      if (!tensors.get(index).path().equals(key + "[" + index + "]")) {
        return false;
      }
    }
    return true;
  }

  /**
   * The layers, neighbours of one shape and dtype put together. Tensors of a rank that this
   * encoding does not have stand there as they are, as does one whose width is no multiple of H.
   *
   * @param tensors what lies under the key, a run of one for each, without a dimension for a batch
   * @param hiddenSize H, which tells how many layers lie side by side; empty when unknown
   */
  List<ShapeRun> layers(List<ShapeRun> tensors, OptionalLong hiddenSize) {
    if (!isOneTensor() || tensors.size() != 1 || tensors.get(0).shape().size() != rank) {
      return together(tensors);
    }
    List<Long> shape = tensors.get(0).shape();
    String dtype = tensors.get(0).dtype();
    return switch (this) {
      case STACKED_ON_AXIS_1 -> runs(shape.get(1), shape.get(0), shape.get(2), dtype);
      case STACKED_ON_AXIS_0 -> runs(shape.get(0), shape.get(1), shape.get(2), dtype);
      case CONCATENATED -> {
        long width = shape.get(1);
        long size = hiddenSize.orElse(0);
        yield size > 0 && width > 0 && width % size == 0
            ? runs(width / size, shape.get(0), size, dtype)
            : tensors;
      }
      default -> tensors;
    };
  }

  private static List<ShapeRun> runs(long count, long tokens, long width, String dtype) {
    int layers = (int) Math.min(count, Integer.MAX_VALUE);
    return layers == 0 ? List.of() : List.of(new ShapeRun(layers, List.of(tokens, width), dtype));
  }

  /** The runs with equal neighbours put together. */
  static List<ShapeRun> together(List<ShapeRun> tensors) {
    List<ShapeRun> runs = new ArrayList<>();
    for (ShapeRun next : tensors) {
      ShapeRun last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (last != null && last.isLike(next)) {
        runs.set(runs.size() - 1, last.with(next));
      } else {
        runs.add(next);
      }
    }
    return runs;
  }
}
