package dev.eagle3.verify;

import dev.eagle3.tensor.TensorEntry;
import java.util.ArrayList;
import java.util.List;

/** How the layers of one sample lie in a file. T tokens, H hidden size, L layers. */
public enum LayerEncoding {
  /** A list of L tensors {@code [T, H]}: {@code hidden_states[0]}, {@code hidden_states[1]}, … */
  LIST_OF_LAYERS(2) {
    @Override
    boolean holds(String key, List<TensorEntry> tensors) {
      for (int index = 0; index < tensors.size(); index++) {
        if (!tensors.get(index).path().equals(key + "[" + index + "]")) {
          return false;
        }
      }
      return true;
    }

    @Override
    List<ShapeRun> layers(List<TensorEntry> tensors) {
      List<ShapeRun> runs = new ArrayList<>();
      for (TensorEntry tensor : tensors) {
        ShapeRun last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
        if (last != null && last.isOf(tensor)) {
          runs.set(runs.size() - 1, last.longer());
        } else {
          runs.add(new ShapeRun(1, tensor.shape(), tensor.dtype()));
        }
      }
      return runs;
    }
  },

  /** One tensor {@code [T, L, H]}. */
  STACKED_ON_AXIS_1(3) {
    @Override
    boolean holds(String key, List<TensorEntry> tensors) {
      return tensors.size() == 1 && tensors.get(0).path().equals(key);
    }

    @Override
    List<ShapeRun> layers(List<TensorEntry> tensors) {
      TensorEntry stack = tensors.get(0);
      if (stack.shape().size() != 3) {
        return List.of(new ShapeRun(1, stack.shape(), stack.dtype()));
      }
      List<Long> layer = List.of(stack.shape().get(0), stack.shape().get(2));
      int count = (int) Math.min(stack.shape().get(1), Integer.MAX_VALUE);
      return count == 0 ? List.of() : List.of(new ShapeRun(count, layer, stack.dtype()));
    }
  };

  private final int rank;

  LayerEncoding(int rank) {
    this.rank = rank;
  }

  /** How many sizes each tensor under the key has. */
  int rank() {
    return rank;
  }

  /** Whether the tensors under {@code key} lie in this way, whatever their shapes. */
  abstract boolean holds(String key, List<TensorEntry> tensors);

  /**
   * The layers, neighbours of one shape and dtype put together. Tensors of a rank that this
   * encoding does not have stand there as they are.
   */
  abstract List<ShapeRun> layers(List<TensorEntry> tensors);
}
