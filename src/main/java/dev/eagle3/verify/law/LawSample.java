package dev.eagle3.verify.law;

import dev.eagle3.tensor.TensorEntry;
import java.util.Arrays;
import java.util.List;

/** What the laws need of one saved sample: its token ids, and where its last layer lies. */
final class LawSample {
  private final String path;
  private final int[] ids;
  private final TensorEntry layer;
  private final int tokens;

  /**
   * @param ids as the file has them, from the first on
   * @param layer the last layer, {@code [T, H]}, with as many rows as there are ids or more
   */
  LawSample(String path, int[] ids, TensorEntry layer) {
    this.path = path;
    this.ids = ids;
    this.layer = layer;
    this.tokens = withoutPadding(ids);
  }

  String path() {
    return path;
  }

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** How many tokens there are, a run of equal ones at the end (padding) counted as one. */
  int tokens() {
    return tokens;
  }

  int id(int row) {
    return ids[row];
  }

  TensorEntry layer() {
    return layer;
  }

  int hiddenSize() {
    return layer.shape().get(1).intValue();
  }

  /** Bytes of one row, as far as the dtype tells by its name. */
  long rowBytes() {
    return layer.dtype().endsWith("16") ? 2L * hiddenSize() : 4L * hiddenSize();
  }

  /** How many ids both begin with. */
  int sharedWith(LawSample other) {
    int differing = Arrays.mismatch(ids, 0, tokens, other.ids, 0, other.tokens);
    return differing < 0 ? tokens : differing;
  }

  /** In the order of their ids, so that the longest shared prefixes are neighbours. */
  static int byIds(LawSample left, LawSample right) {
    return Arrays.compare(left.ids, 0, left.tokens, right.ids, 0, right.tokens);
  }

  /** Every {@code step}th row of the layer, from {@code first} on: a matrix of its own. */
  TensorEntry every(int step, int first, int count) {
    long rowStep = layer.stride().get(0);
    return new TensorEntry(
        layer.path(),
        layer.key(),
        layer.dtype(),
        List.of((long) count, layer.shape().get(1)),
        List.of(rowStep * step, layer.stride().get(1)),
        layer.offset() + rowStep * first,
        layer.storage());
  }

  private static int withoutPadding(int[] ids) {
    int end = ids.length;
    while (end > 1 && ids[end - 1] == ids[end - 2]) {
      end--;
    }
    return end;
  }
}
