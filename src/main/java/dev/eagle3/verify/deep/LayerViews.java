package dev.eagle3.verify.deep;

import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The layers of a file as matrices {@code [T, H]}, however the program lays them out: one tensor a
 * layer, stacked {@code [T, L, H]} or {@code [L, T, H]}, with a batch dimension {@code [1, T, H]},
 * or side by side {@code [T, A × H]}. Each is a view of the storage of its tensor.
 */
public final class LayerViews {
  /** A hostile header may stack millions. */
  private static final int MOST_LAYERS_OF_A_TENSOR = 4096;

  private LayerViews() {}

  /**
   * Whether a view is of hidden states, by its name, which all programs call so in some way. Beside
   * them may lie embeddings or probabilities, of which other things are to be expected.
   */
  static boolean isStates(TensorEntry view) {
    return view.key().contains("hidden");
  }

  /**
   * All matrices of floating-point numbers with values in the file, in file order.
   *
   * @param tokens T, where it is known: it tells the axes of three apart
   * @param hiddenSize H, where it is known: wider matrices of a multiple of it are cut into layers
   */
  public static List<TensorEntry> of(
      TensorFile file, OptionalLong tokens, OptionalLong hiddenSize) {
    List<TensorEntry> views = new ArrayList<>();
    for (TensorEntry tensor : file.tensors()) {
      if (Element.of(tensor.dtype()).isPresent() && tensor.storage() != null) {
        matrices(tensor, tokens).forEach(matrix -> views.addAll(cut(matrix, hiddenSize)));
      }
    }
    return views;
  }

  /**
   * Those of one sample of a file with several of one length, {@code [n, T, W]}.
   *
   * @param samples n
   */
  static List<TensorEntry> ofSample(
      TensorFile file, int sample, int samples, OptionalLong hiddenSize) {
    List<TensorEntry> views = new ArrayList<>();
    for (TensorEntry tensor : file.tensors()) {
      if (Element.of(tensor.dtype()).isPresent()
          && tensor.storage() != null
          && tensor.shape().size() == 3
          && tensor.shape().get(0) == samples) {
        views.addAll(cut(part(tensor, 0, sample, "[" + sample + "]"), hiddenSize));
      }
    }
    return views;
  }

  private static List<TensorEntry> matrices(TensorEntry tensor, OptionalLong tokens) {
    List<Long> shape = tensor.shape();
    if (shape.size() == 2) {
      return List.of(tensor);
    }
    if (shape.size() != 3) {
      return List.of();
    }
    boolean tokensAreSecond = tokens.isPresent() && shape.get(1) == tokens.getAsLong();
    boolean tokensAreFirst = tokens.isPresent() && shape.get(0) == tokens.getAsLong();
    // [T, T, H] would be both; vLLM has the tokens first.
    boolean isBatch = shape.get(0) == 1 && (tokensAreSecond || !tokensAreFirst);
    int layerAxis = isBatch || (tokensAreSecond && !tokensAreFirst) ? 0 : 1;
    int count = (int) Math.min(shape.get(layerAxis), MOST_LAYERS_OF_A_TENSOR);
    List<TensorEntry> layers = new ArrayList<>(count);
    for (int layer = 0; layer < count; layer++) {
      String place = layerAxis == 0 ? "[" + layer + "]" : "[:, " + layer + "]";
      layers.add(part(tensor, layerAxis, layer, isBatch ? "" : place));
    }
    return layers;
  }

  /** One of the matrices along an axis of three, the first or the second. */
  private static TensorEntry part(TensorEntry tensor, int axis, int index, String place) {
    int rows = 1 - axis;
    return new TensorEntry(
        tensor.path() + place,
        tensor.key(),
        tensor.dtype(),
        List.of(tensor.shape().get(rows), tensor.shape().get(2)),
        List.of(tensor.stride().get(rows), tensor.stride().get(2)),
        tensor.offset() + index * tensor.stride().get(axis),
        tensor.storage());
  }

  private static List<TensorEntry> cut(TensorEntry matrix, OptionalLong hiddenSize) {
    long width = matrix.shape().get(1);
    long size = hiddenSize.orElse(0);
    if (size < 1 || width <= size || width % size != 0 || width / size > MOST_LAYERS_OF_A_TENSOR) {
      return List.of(matrix);
    }
    List<TensorEntry> layers = new ArrayList<>();
    for (long from = 0; from < width; from += size) {
      layers.add(
          new TensorEntry(
              matrix.path() + "[:, " + from + ":" + (from + size) + "]",
              matrix.key(),
              matrix.dtype(),
              List.of(matrix.shape().get(0), size),
              matrix.stride(),
              matrix.offset() + from * matrix.stride().get(1),
              matrix.storage()));
    }
    return layers;
  }
}
