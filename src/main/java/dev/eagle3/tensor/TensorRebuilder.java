package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Global;
import dev.eagle3.tensor.Node.Persistent;
import dev.eagle3.tensor.Node.Sequence;
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
  private final CompoundRebuilder compounds = new CompoundRebuilder(this);

  /**
   * @param storages what each persistent id refers to
   */
  TensorRebuilder(int mostDimensions, Map<Persistent, StorageReference> storages) {
    this.mostDimensions = mostDimensions;
    this.storages = storages;
  }

  int mostDimensions() {
    return mostDimensions;
  }

  /** The tensor that a call gives; null when the call gives something else. */
  @Nullable RebuiltTensor rebuild(Call call) throws UnreadableTensor {
    return rebuild(call, true);
  }

  /**
   * A tensor that another is made from.
   *
   * @throws UnreadableTensor also when it is put together itself: torch has no such thing
   */
  RebuiltTensor part(String name, Node node) throws UnreadableTensor {
    RebuiltTensor part = node instanceof Call call ? rebuild(call, false) : null;
    if (part == null) {
      throw new UnreadableTensor("its " + name + " is no tensor");
    }
    return part;
  }

  private @Nullable RebuiltTensor rebuild(Call call, boolean mayBeCompound)
      throws UnreadableTensor {
    Call inner = call;
    for (int wrappers = 0; wrappers < MOST_WRAPPERS; wrappers++) {
      Global global = inner.global();
      if (global == null) {
        return null;
      }
      if (TorchNames.isTensorClass(global)) {
        // Before torch 0.2 the class itself was named, and its state was the view.
        return inner.state() instanceof Sequence state && !state.items().isEmpty()
            ? view(state.items(), null)
            : null;
      }
      if (!TorchNames.rebuilds(global)) {
        return null;
      }
      if (!(inner.arguments() instanceof Sequence)) {
        throw new UnreadableTensor("no arguments for " + global.name());
      }
      List<Node> items = inner.items();
      switch (global.name()) {
        case "_rebuild_from_type_v2" ->
            inner = new Call(TensorArguments.at(items, 0), TensorArguments.at(items, 2));
        case "_rebuild_parameter",
            "_rebuild_parameter_with_state",
            "_rebuild_device_tensor_from_cpu_tensor" -> {
          if (!(TensorArguments.at(items, 0) instanceof Call wrapped)) {
            throw new UnreadableTensor("no tensor within " + global.name());
          }
          inner = wrapped;
        }
        default -> {
          return rebuild(global.name(), items, mayBeCompound);
        }
      }
    }
    throw new UnreadableTensor("wrapped more than " + MOST_WRAPPERS + " times");
  }

  private RebuiltTensor rebuild(String function, List<Node> items, boolean mayBeCompound)
      throws UnreadableTensor {
    return switch (function) {
      case "_rebuild_tensor", "_rebuild_tensor_v2" -> view(items, null);
      case "_rebuild_tensor_v3" -> view(items, TensorArguments.dtype(TensorArguments.at(items, 6)));
      case "_rebuild_meta_tensor_no_storage" ->
          tensor(TensorArguments.dtype(TensorArguments.at(items, 0)), items, 1, 0, null);
      case "_rebuild_wrapper_subclass" ->
          tensor(
              TensorArguments.dtype(TensorArguments.at(items, 1)),
              items,
              2,
              TensorArguments.number("offset", TensorArguments.at(items, 4)),
              null);
      default -> {
        if (!mayBeCompound) {
          throw new UnreadableTensor("rebuilt by " + function + " within another");
        }
        yield compounds.rebuild(function, items);
      }
    };
  }

  /** Storage, offset, size, stride, and what does not matter here. */
  RebuiltTensor view(List<Node> items, @Nullable Dtype dtype) throws UnreadableTensor {
    if (!(TensorArguments.at(items, 0) instanceof Persistent persistent)) {
      throw new UnreadableTensor("its storage is no storage");
    }
    StorageReference storage = storages.get(persistent);
    if (storage == null) {
      throw new UnreadableTensor("its storage is not named as torch names one");
    }
    Dtype own = dtype != null ? dtype : storage.dtype();
    if (own == null) {
      throw new UnreadableTensor("an untyped storage, and no dtype");
    }
    long offset = TensorArguments.number("offset", TensorArguments.at(items, 1));
    return tensor(own, items, 2, offset, storage);
  }

  /** Sizes stand at {@code from}, strides after them. */
  private RebuiltTensor tensor(
      Dtype dtype, List<Node> items, int from, long offset, @Nullable StorageReference storage)
      throws UnreadableTensor {
    List<Long> shape =
        TensorArguments.numbers("size", TensorArguments.at(items, from), mostDimensions);
    List<Long> stride =
        TensorArguments.numbers("stride", TensorArguments.at(items, from + 1), mostDimensions);
    if (shape.size() != stride.size()) {
      throw new UnreadableTensor(shape.size() + " sizes and " + stride.size() + " strides");
    }
    RebuiltTensor tensor = new RebuiltTensor(dtype, shape, stride, offset, storage);
    if (tensor.elements() < 0 || tensor.extent() < 0) {
      throw new UnreadableTensor(
          "sizes " + shape + ", strides " + stride + ": more elements than can be");
    }
    return tensor;
  }
}
