package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The layers of a file as its schema lays them.
 *
 * @param tensors what lies under the layers' key
 * @param last what lies under the key of the last layer; none where the schema has no such key
 * @param runs all layers in order, the last one too
 * @param captured how many layers there are without the last one
 * @param countable whether their number is known: layers that lie side by side can be counted only
 *     where H is known and divides their width
 * @param ranksFit whether all tensors have as many sizes as the schema gives them
 */
record SampleLayers(
    List<TensorEntry> tensors,
    List<TensorEntry> last,
    List<ShapeRun> runs,
    int captured,
    boolean countable,
    boolean ranksFit) {

  static SampleLayers of(TensorFile file, Schema schema, Expectation expected) {
    List<TensorEntry> tensors = file.under(schema.layersKey());
    List<TensorEntry> last = schema.lastKey().map(file::under).orElse(List.of());
    int rank = schema.encoding().rank();
    List<ShapeRun> pieces = pieces(tensors, schema.batching(), rank);
    List<ShapeRun> lastPieces = pieces(last, schema.batching(), 2);
    OptionalLong hiddenSize = hiddenSize(pieces, lastPieces, expected);
    List<ShapeRun> layers = schema.encoding().layers(pieces, hiddenSize);
    boolean countable =
        schema.encoding() != LayerEncoding.CONCATENATED
            || (hiddenSize.isPresent()
                && layers.stream()
                    .allMatch(
                        run ->
                            run.shape().size() == 2
                                && run.shape().get(1) == hiddenSize.getAsLong()));
    List<ShapeRun> all = new ArrayList<>(layers);
    all.addAll(lastPieces);
    boolean ranksFit =
        pieces.stream().allMatch(piece -> piece.shape().size() == rank)
            && lastPieces.stream().allMatch(piece -> piece.shape().size() == 2);
    return new SampleLayers(
        tensors, last, LayerEncoding.together(all), countOf(layers), countable, ranksFit);
  }

  /** All layers, the last one too. */
  int count() {
    return countOf(runs);
  }

  /** All tensors of layers. */
  List<TensorEntry> all() {
    List<TensorEntry> all = new ArrayList<>(tensors);
    all.addAll(last);
    return all;
  }

  private static int countOf(List<ShapeRun> runs) {
    long sum = runs.stream().mapToLong(ShapeRun::count).sum();
    return (int) Math.min(Integer.MAX_VALUE, sum);
  }

  private static List<ShapeRun> pieces(List<TensorEntry> tensors, Batching batching, int rank) {
    return tensors.stream()
        .map(tensor -> new ShapeRun(1, batching.ofOne(tensor.shape(), rank), tensor.dtype()))
        .toList();
  }

  /** H that divides the width: the expected one, that of the last layer, or by the layers asked. */
  private static OptionalLong hiddenSize(
      List<ShapeRun> pieces, List<ShapeRun> last, Expectation expected) {
    if (pieces.size() != 1 || pieces.get(0).shape().size() != 2) {
      return OptionalLong.empty();
    }
    long width = pieces.get(0).shape().get(1);
    List<Long> candidates = new ArrayList<>();
    expected.hiddenSize().ifPresent(size -> candidates.add(size.value()));
    if (last.size() == 1 && last.get(0).shape().size() == 2) {
      candidates.add(last.get(0).shape().get(1));
    } else if (expected.hiddenSize().isEmpty()) {
      expected
          .layers()
          .filter(count -> width % count.value() == 0)
          .ifPresent(count -> candidates.add(width / count.value()));
    }
    return candidates.stream()
        .filter(size -> size > 0 && width > 0 && width % size == 0)
        .mapToLong(Long::longValue)
        .findFirst();
  }
}
