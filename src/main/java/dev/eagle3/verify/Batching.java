package dev.eagle3.verify;

import java.util.List;

/** Whether tensors of a schema have a dimension for the batch in front. */
public enum Batching {
  /** None: {@code [T, …]}. One that is there is a fault. */
  NONE,
  /** A batch of one: {@code [1, T, …]}; without it is as good. */
  ONE,
  /** Several samples of one length in one file: {@code [n, T, …]}. */
  MANY;

  /** The sizes of one sample, given how many it should have; as they are where they do not fit. */
  List<Long> ofOne(List<Long> shape, int rank) {
    boolean batched =
        shape.size() == rank + 1 && (this == MANY || (this == ONE && shape.get(0) == 1));
    return batched ? shape.subList(1, shape.size()) : shape;
  }

  /** Whether the sizes are those of this kind of batch, to the letter. */
  boolean fits(List<Long> shape, int rank) {
    return switch (this) {
      case NONE -> shape.size() == rank;
      case ONE -> shape.size() == rank + 1 && shape.get(0) == 1;
      case MANY -> shape.size() == rank + 1;
    };
  }
}
