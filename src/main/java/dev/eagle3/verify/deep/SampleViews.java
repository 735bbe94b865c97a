package dev.eagle3.verify.deep;

import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** The layers of each sample of a file, and what there is of layers that cannot be looked at. */
final class SampleViews {
  private final TensorFile file;
  private final List<Tokens> samples;
  private final OptionalLong hiddenSize;
  private final Predicate<TensorEntry> isLayer;

  /**
   * Those of a file.
   *
   * @param samples as {@link TokensReader} found them
   * @param hiddenSize H, where it is known
   * @param isLayer which matrices are asked for
   */
  SampleViews(
      TensorFile file,
      List<Tokens> samples,
      OptionalLong hiddenSize,
      Predicate<TensorEntry> isLayer) {
    this.file = file;
    this.samples = samples;
    this.hiddenSize = hiddenSize.isPresent() ? hiddenSize : narrowest(file);
    this.isLayer = isLayer;
  }

  /** A layer and what the file says of its rows. */
  record View(TensorEntry layer, Tokens tokens) {}

  /** All of them, in file order, sample by sample. */
  List<View> views() {
    List<View> views = new ArrayList<>();
    if (samples.size() <= 1) {
      OptionalLong count =
          samples.isEmpty() ? OptionalLong.empty() : OptionalLong.of(samples.get(0).ids().length);
      add(
          LayerViews.of(file, count, hiddenSize),
          samples.isEmpty() ? Tokens.UNKNOWN : samples.get(0),
          views);
    }
    for (int sample = 0; samples.size() > 1 && sample < samples.size(); sample++) {
      add(
          LayerViews.ofSample(file, sample, samples.size(), hiddenSize),
          samples.get(sample),
          views);
    }
    return views;
  }

  private void add(List<TensorEntry> layers, Tokens tokens, List<View> views) {
    layers.stream().filter(isLayer).forEach(layer -> views.add(new View(layer, tokens)));
  }

  /** Tensors that are asked for and of which there is no view, and why, a line each. */
  List<String> without() {
    List<String> lines = new ArrayList<>();
    for (TensorEntry tensor : file.tensors()) {
      if (!isLayer.test(tensor) || tensor.shape().contains(0L)) {
        continue;
      }
      int rank = tensor.shape().size();
      if (tensor.storage() == null) {
        lines.add(tensor.path() + " has no values of its own in the file");
      } else if (Element.of(tensor.dtype()).isEmpty()) {
        lines.add(tensor.path() + " is of " + tensor.dtype() + ", which is not looked at");
      } else if (rank < 2 || rank > 3) {
        lines.add(tensor.path() + " has " + rank + (rank == 1 ? " dimension" : " dimensions"));
      } else if (samples.size() > 1 && (rank != 3 || tensor.shape().get(0) != samples.size())) {
        lines.add(
            tensor.path() + " is not of " + samples.size() + " samples, as the token ids are");
      }
    }
    return lines;
  }

  /**
   * H by the layers themselves: the width of the narrowest, when it divides those of the others.
   */
  private static OptionalLong narrowest(TensorFile file) {
    long[] widths =
        file.tensors().stream()
            .filter(LayerViews::isStates)
            .filter(tensor -> tensor.shape().size() >= 2)
            .mapToLong(tensor -> tensor.shape().get(tensor.shape().size() - 1))
            .sorted()
            .toArray();
    for (long width : widths) {
      if (widths[0] == 0 || width % widths[0] != 0) {
        return OptionalLong.empty();
      }
    }
    return widths.length == 0 ? OptionalLong.empty() : OptionalLong.of(widths[0]);
  }
}
