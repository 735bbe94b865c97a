package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Global;
import dev.eagle3.tensor.Node.Persistent;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.Whole;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the calls by which torch rebuilds a tensor ({@code torch/_utils.py}): what their arguments
 * say of dtype, shape, stride, offset and storage.
 */
final class TensorRebuilder {
  /** A parameter of a parameter of a parameter has no end in a hostile file. */
  private static final int MOST_WRAPPERS = 16;

  private final int mostDimensions;
  private final Map<Persistent, StorageReference> storages;

  /** Why a call that should give a tensor does not. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean broken;

    private Unreadable(boolean broken, String says) {
      super(says, null, false, false);
      this.broken = broken;
    }

    /** Whether torch could not read it either; else we do not read this kind. */
    boolean isBroken() {
      return broken;
    }

    String says() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * @param storages what each persistent id refers to
   */
  TensorRebuilder(int mostDimensions, Map<Persistent, StorageReference> storages) {
    this.mostDimensions = mostDimensions;
    this.storages = storages;
  }

  /** The tensor that a call gives; null when the call gives something else. */
  @Nullable RebuiltTensor rebuild(Call call) throws Unreadable {
    Node function = call.function();
    Node arguments = call.arguments();
    for (int wrappers = 0; wrappers < MOST_WRAPPERS; wrappers++) {
      if (!(function instanceof Global global && TorchNames.rebuilds(global))) {
        return null;
      }
      if (!(arguments instanceof Sequence sequence)) {
        throw broken("no arguments for " + global.name());
      }
      List<Node> items = sequence.items();
      switch (global.name()) {
        case "_rebuild_from_type_v2" -> {
          function = argument(items, 0);
          arguments = argument(items, 2);
        }
        case "_rebuild_parameter",
            "_rebuild_parameter_with_state",
            "_rebuild_device_tensor_from_cpu_tensor" -> {
          if (!(argument(items, 0) instanceof Call inner)) {
            throw broken("no tensor within " + global.name());
          }
          function = inner.function();
          arguments = inner.arguments();
        }
        default -> {
          return rebuild(global.name(), items);
        }
      }
    }
    throw broken("wrapped more than " + MOST_WRAPPERS + " times");
  }

  private RebuiltTensor rebuild(String function, List<Node> items) throws Unreadable {
    return switch (function) {
      case "_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_qtensor" -> view(items, null);
      case "_rebuild_tensor_v3" -> view(items, dtype(argument(items, 6)));
      case "_rebuild_meta_tensor_no_storage" ->
          tensor(dtype(argument(items, 0)), items, 1, 0, null);
      case "_rebuild_wrapper_subclass" ->
          tensor(dtype(argument(items, 1)), items, 2, offset(argument(items, 4)), null);
      default -> throw new Unreadable(false, "rebuilt by " + function + ", which is not read yet");
    };
  }

  /** Storage, offset, size, stride, and what does not matter here. */
  private RebuiltTensor view(List<Node> items, @Nullable Dtype dtype) throws Unreadable {
    if (!(argument(items, 0) instanceof Persistent persistent)) {
      throw broken("its storage is no storage");
    }
    StorageReference storage = storages.get(persistent);
    if (storage == null) {
      throw broken("its storage is not named as torch names one");
    }
    Dtype own = dtype != null ? dtype : storage.dtype();
    if (own == null) {
      throw broken("an untyped storage, and no dtype");
    }
    return tensor(own, items, 2, offset(argument(items, 1)), storage);
  }

  /** Sizes stand at {@code from}, strides after them. */
  private RebuiltTensor tensor(
      Dtype dtype, List<Node> items, int from, long offset, @Nullable StorageReference storage)
      throws Unreadable {
    List<Long> shape = numbers("size", argument(items, from));
    List<Long> stride = numbers("stride", argument(items, from + 1));
    if (shape.size() != stride.size()) {
      throw broken(shape.size() + " sizes and " + stride.size() + " strides");
    }
    RebuiltTensor tensor = new RebuiltTensor(dtype, shape, stride, offset, storage);
    if (tensor.elements() < 0 || tensor.extent() < 0) {
      throw broken("sizes " + shape + ", strides " + stride + ": more elements than can be");
    }
    return tensor;
  }

  private List<Long> numbers(String what, Node node) throws Unreadable {
    if (!(node instanceof Sequence sequence)) {
      throw broken("its " + what + " is no tuple");
    }
    if (sequence.items().size() > mostDimensions) {
      throw broken(sequence.items().size() + " dimensions");
    }
    List<Long> numbers = new ArrayList<>(sequence.items().size());
    for (Node item : sequence.items()) {
      numbers.add(number(what, item));
    }
    return numbers;
  }

  private static long offset(Node node) throws Unreadable {
    return number("offset", node);
  }

  private static long number(String what, Node node) throws Unreadable {
    if (!(node instanceof Whole whole)) {
      throw broken("its " + what + " is no whole number of 64 bits");
    }
    if (whole.value() < 0) {
      throw broken("its " + what + " is negative: " + whole.value());
    }
    return whole.value();
  }

  private static Dtype dtype(Node node) throws Unreadable {
    if (node instanceof Global global && global.module().equals("torch")) {
      return Dtype.ofTorch(global.name());
    }
    throw broken("its dtype is no dtype of torch");
  }

  private static Node argument(List<Node> items, int index) throws Unreadable {
    if (index >= items.size()) {
      throw broken(items.size() + " arguments are too few");
    }
    return items.get(index);
  }

  private static Unreadable broken(String says) {
    return new Unreadable(true, says);
  }
}
