package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.RebuiltTensor.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads the tensors that are put together from others, or from an array ({@code _utils.py}). */
final class CompoundRebuilder {
  private final TensorRebuilder tensors;

  /**
   * @param tensors reads the parts
   */
  CompoundRebuilder(TensorRebuilder tensors) {
    this.tensors = tensors;
  }

  RebuiltTensor rebuild(String function, List<Node> items) throws UnreadableTensor {
    return switch (function) {
      case "_rebuild_qtensor" -> quantized(items);
      case "_rebuild_sparse_tensor" -> sparse(items);
      case "_rebuild_sparse_csr_tensor" -> compressed("sparse_csr", data(items));
      case "_rebuild_nested_tensor" -> nested(items);
      case "_rebuild_device_tensor_from_numpy", "_rebuild_xla_tensor" -> ofArray(items);
      default -> throw new UnreadableTensor("rebuilt by " + function);
    };
  }

  /** A view, with scales and zero points beside where it has them for each channel. */
  private RebuiltTensor quantized(List<Node> items) throws UnreadableTensor {
    RebuiltTensor view = tensors.view(items, null);
    List<Part> parts = new ArrayList<>();
    if (TensorArguments.at(items, 4) instanceof Sequence parameters) {
      List<String> names = List.of("scales", "zero_points");
      for (int index = 0; index < names.size() && index + 1 < parameters.items().size(); index++) {
        if (parameters.items().get(index + 1) instanceof Call call) {
          parts.add(new Part(names.get(index), tensors.part(names.get(index), call)));
        }
      }
    }
    return view.with(parts);
  }

  private RebuiltTensor sparse(List<Node> items) throws UnreadableTensor {
    String layout = TensorArguments.layout(TensorArguments.at(items, 0));
    return switch (layout) {
      case "sparse_coo" -> coordinates(data(items));
      case "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc" ->
          compressed(layout, data(items));
      default -> throw new UnreadableTensor("no sparse layout: " + Findings.shortened(layout));
    };
  }

  private static List<Node> data(List<Node> items) throws UnreadableTensor {
    if (TensorArguments.at(items, 1) instanceof Sequence data) {
      return data.items();
    }
    throw new UnreadableTensor("its parts are no tuple");
  }

  /** Indices, values, size, and perhaps whether it is coalesced. */
  private RebuiltTensor coordinates(List<Node> data) throws UnreadableTensor {
    RebuiltTensor indices = tensors.part("indices", TensorArguments.at(data, 0));
    RebuiltTensor values = tensors.part("values", TensorArguments.at(data, 1));
    List<Long> shape = size(TensorArguments.at(data, 2));
    boolean fits =
        indices.shape().size() == 2
            && !values.shape().isEmpty()
            && indices.shape().get(1).equals(values.shape().get(0))
            && indices.shape().get(0) + values.shape().size() - 1 == shape.size();
    if (!fits) {
      throw new UnreadableTensor(
          "indices %s and values %s do not make %s"
              .formatted(indices.shape(), values.shape(), shape));
    }
    // torch gives a sparse tensor strides of zero.
    List<Long> stride = Collections.nCopies(shape.size(), 0L);
    List<Part> parts = List.of(new Part("indices", indices), new Part("values", values));
    return new RebuiltTensor(values.dtype(), shape, stride, 0, null, "sparse_coo", parts);
  }

  /** Compressed indices, plain indices, values, size. Such a tensor has no strides. */
  private RebuiltTensor compressed(String layout, List<Node> data) throws UnreadableTensor {
    boolean isByRow = layout.equals("sparse_csr") || layout.equals("sparse_bsr");
    List<String> names =
        List.of(
            isByRow ? "crow_indices" : "ccol_indices",
            isByRow ? "col_indices" : "row_indices",
            "values");
    List<Part> parts = new ArrayList<>();
    for (int index = 0; index < names.size(); index++) {
      String name = names.get(index);
      parts.add(new Part(name, tensors.part(name, TensorArguments.at(data, index))));
    }
    List<Long> shape = size(TensorArguments.at(data, names.size()));
    Dtype dtype = parts.get(2).tensor().dtype();
    return new RebuiltTensor(dtype, shape, List.of(), 0, null, layout, parts);
  }

  /** One buffer for tensors of different shapes, which are values: the header has their number. */
  private RebuiltTensor nested(List<Node> items) throws UnreadableTensor {
    List<Part> parts = new ArrayList<>();
    for (String name : List.of("buffer", "sizes", "strides", "offsets")) {
      parts.add(new Part(name, tensors.part(name, TensorArguments.at(items, parts.size()))));
    }
    List<Long> sizes = parts.get(1).tensor().shape();
    Dtype dtype = parts.get(0).tensor().dtype();
    List<Long> shape = sizes.isEmpty() ? List.of() : List.of(sizes.get(0));
    return new RebuiltTensor(dtype, shape, List.of(), 0, null, "nested", parts);
  }

  /** From an array of NumPy, whose values stand in the pickle. */
  private RebuiltTensor ofArray(List<Node> items) throws UnreadableTensor {
    Dtype dtype = TensorArguments.dtype(TensorArguments.at(items, 1));
    ArrayReader.Array array =
        TensorArguments.at(items, 0) instanceof Call call ? ArrayReader.read(call) : null;
    if (array == null) {
      throw new UnreadableTensor("its array is no array of NumPy");
    }
    RebuiltTensor tensor =
        new RebuiltTensor(dtype, array.shape(), TensorArguments.contiguous(array.shape()), 0, null);
    if (tensor.elements() < 0) {
      throw new UnreadableTensor("sizes " + array.shape() + ": more elements than can be");
    }
    return tensor;
  }

  private List<Long> size(Node node) throws UnreadableTensor {
    return TensorArguments.numbers("size", node, tensors.mostDimensions());
  }
}
