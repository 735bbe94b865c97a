package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Global;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.Text;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the calls by which NumPy rebuilds an array: {@code ndarray.__reduce__} with its state,
 * {@code _frombuffer} of protocol 5, and {@code scalar}. Modules are {@code numpy.core} before
 * NumPy 2, {@code numpy._core} since.
 */
final class ArrayReader {
  /** NumPy allows 64 dimensions since version 2, 32 before. */
  private static final int MOST_DIMENSIONS = 64;

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("f2", "float16"),
          Map.entry("f4", "float32"),
          Map.entry("f8", "float64"),
          Map.entry("i1", "int8"),
          Map.entry("i2", "int16"),
          Map.entry("i4", "int32"),
          Map.entry("i8", "int64"),
          Map.entry("u1", "uint8"),
          Map.entry("u2", "uint16"),
          Map.entry("u4", "uint32"),
          Map.entry("u8", "uint64"),
          Map.entry("b1", "bool"),
          Map.entry("c8", "complex64"),
          Map.entry("c16", "complex128"),
          Map.entry("O8", "object"));

  /** What an array is; its values stay where they are. */
  record Array(String dtype, List<Long> shape) {}

  private ArrayReader() {}

  /** The array that a call makes; null when it makes none. */
  static @Nullable Array read(Call call) {
    try {
      return switch (name(call)) {
        case "multiarray._reconstruct" -> ofState(call.state());
        case "multiarray.scalar" ->
            new Array(dtype(TensorArguments.at(call.items(), 0)), List.of());
        case "numeric._frombuffer" -> ofBuffer(call.items());
        default -> null;
      };
    } catch (UnreadableTensor notAnArray) {
      return null;
    }
  }

  /** The name within NumPy's core; empty for anything else. */
  private static String name(Call call) {
    Global global = call.global();
    if (global == null) {
      return "";
    }
    for (String core : List.of("numpy.core.", "numpy._core.")) {
      if (global.qualifiedName().startsWith(core)) {
        return global.qualifiedName().substring(core.length());
      }
    }
    return "";
  }

  /** Version, shape, dtype, order, values; the oldest have no version. */
  private static @Nullable Array ofState(@Nullable Node state) throws UnreadableTensor {
    if (!(state instanceof Sequence tuple)) {
      return null;
    }
    int from = tuple.items().size() > 4 ? 1 : 0;
    Node shape = TensorArguments.at(tuple.items(), from);
    return array(TensorArguments.at(tuple.items(), from + 1), shape);
  }

  /** Values, dtype, shape, order. */
  private static Array ofBuffer(List<Node> arguments) throws UnreadableTensor {
    return array(TensorArguments.at(arguments, 1), TensorArguments.at(arguments, 2));
  }

  private static Array array(Node dtype, Node shape) throws UnreadableTensor {
    return new Array(dtype(dtype), TensorArguments.numbers("shape", shape, MOST_DIMENSIONS));
  }

  /** {@code dtype('f4')}, with a state that says the order of bytes. */
  private static String dtype(Node node) {
    if (!(node instanceof Call call && !call.items().isEmpty())) {
      return "unknown";
    }
    Node name = call.items().get(0);
    if (name instanceof Global global) {
      return Findings.shortened(global.name());
    }
    if (!(name instanceof Text text)) {
      return "unknown";
    }
    boolean isSwapped =
        call.state() instanceof Sequence state
            && state.items().size() > 1
            && state.items().get(1) instanceof Text order
            && order.value().equals(">");
    String code = Findings.shortened(text.value());
    return isSwapped ? ">" + code : WORDS.getOrDefault(code, code);
  }
}
