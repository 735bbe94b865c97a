package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Global;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.Text;
import dev.eagle3.tensor.Node.Whole;
import java.util.ArrayList;
import java.util.List;

/** Reads single arguments of the calls that rebuild tensors. */
final class TensorArguments {
  private TensorArguments() {}

  static Node at(List<Node> items, int index) throws UnreadableTensor {
    if (index >= items.size()) {
      throw new UnreadableTensor(items.size() + " arguments are too few");
    }
    return items.get(index);
  }

  /** Sizes or strides. */
  static List<Long> numbers(String what, Node node, int most) throws UnreadableTensor {
    if (!(node instanceof Sequence sequence)) {
      throw new UnreadableTensor("its " + what + " is no tuple");
    }
    if (sequence.items().size() > most) {
      throw new UnreadableTensor(sequence.items().size() + " dimensions");
    }
    List<Long> numbers = new ArrayList<>(sequence.items().size());
    for (Node item : sequence.items()) {
      numbers.add(number(what, item));
    }
    return numbers;
  }

  /** A number of elements: never negative. */
  static long number(String what, Node node) throws UnreadableTensor {
    if (!(node instanceof Whole whole)) {
      throw new UnreadableTensor("its " + what + " is no whole number of 64 bits");
    }
    if (whole.value() < 0) {
      throw new UnreadableTensor("its " + what + " is negative: " + whole.value());
    }
    return whole.value();
  }

  static Dtype dtype(Node node) throws UnreadableTensor {
    if (node instanceof Global global && global.module().equals("torch")) {
      return Dtype.ofTorch(global.name());
    }
    throw new UnreadableTensor("its dtype is no dtype of torch");
  }

  /** {@code _get_layout('torch.sparse_coo')}, without {@code torch.}. */
  static String layout(Node node) throws UnreadableTensor {
    String prefix = "torch.";
    if (node instanceof Call call
        && call.items().size() == 1
        && call.items().get(0) instanceof Text text
        && text.value().startsWith(prefix)) {
      return text.value().substring(prefix.length());
    }
    throw new UnreadableTensor("its layout is no layout of torch");
  }

  /** Strides of a contiguous tensor, as torch has them: a size of 0 counts as 1. */
  static List<Long> contiguous(List<Long> shape) {
    List<Long> strides = new ArrayList<>(shape);
    long stride = 1;
    for (int index = shape.size() - 1; index >= 0; index--) {
      strides.set(index, stride);
      // One that does not fit a long belongs to more elements than can be, which is found
      // elsewhere.
      stride *= Math.max(1, shape.get(index));
    }
    return strides;
  }
}
