package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Global;
import dev.eagle3.tensor.Node.Mapping;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.SequenceKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The few classes of Python's library that are plain containers. */
final class PickleNames {
  private PickleNames() {}

  /** A global under its Python 3 name: protocols up to 2 use the names of Python 2. */
  static Global global(String module, String name) {
    return switch (module) {
      case "__builtin__" -> new Global("builtins", name);
      case "copy_reg" -> new Global("copyreg", name);
      default -> new Global(module, name);
    };
  }

  /** The container that a call of such a class makes; null for anything else. */
  static @Nullable Node container(Node function, Node arguments) {
    if (!(function instanceof Global global && arguments instanceof Sequence tuple)) {
      return null;
    }
    List<Node> items = tuple.items();
    return switch (global.qualifiedName()) {
      case "collections.OrderedDict", "builtins.dict" -> items.isEmpty() ? new Mapping() : null;
      // The argument is the class of missing values.
      case "collections.defaultdict" -> items.size() <= 1 ? new Mapping() : null;
      case "builtins.list" -> sequence(SequenceKind.LIST, items);
      case "builtins.set" -> sequence(SequenceKind.SET, items);
      case "builtins.frozenset" -> sequence(SequenceKind.FROZEN_SET, items);
      case "torch.Size" -> sequence(SequenceKind.TUPLE, items);
      default -> null;
    };
  }

  private static @Nullable Sequence sequence(SequenceKind kind, List<Node> arguments) {
    if (arguments.isEmpty()) {
      return Sequence.empty(kind);
    }
    // The items are shared, not copied: a few bytes of a pickle could ask for millions of copies.
    return arguments.size() == 1 && arguments.get(0) instanceof Sequence items
        ? new Sequence(kind, items.items())
        : null;
  }
}
