package dev.eagle3.verify.law;

import dev.eagle3.tensor.TensorEntry;

/** Where the head of a model lies, and the norm before it. */
final class HeadPlace {
  private final String path;
  private final TensorEntry head;
  private final float[] norm;
  private final double epsilon;

  /**
   * @param path the file with the head
   * @param head {@code [vocabulary, H]}
   * @param norm weights of the last norm, H of them, as they multiply
   * @param epsilon of that norm
   */
  HeadPlace(String path, TensorEntry head, float[] norm, double epsilon) {
    this.path = path;
    this.head = head;
    this.norm = norm;
    this.epsilon = epsilon;
  }

  String path() {
    return path;
  }

  TensorEntry head() {
    return head;
  }

  /** The weights; not a copy. */
  float[] norm() {
    return norm;
  }

  double epsilon() {
    return epsilon;
  }

  int hiddenSize() {
    return head.shape().get(1).intValue();
  }

  long vocabulary() {
    return head.shape().get(0);
  }
}
