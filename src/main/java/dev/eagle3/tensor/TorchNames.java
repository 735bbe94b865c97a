package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Global;
import java.util.EnumSet;
import java.util.Set;

/** The names that pickles of torch use, and what torch's own loader says of them. */
final class TorchNames {
  private TorchNames() {}

  /** Functions that give a tensor: {@code torch/_utils.py} and {@code torch/_tensor.py}. */
  private static final Set<String> REBUILD =
      Set.of(
          "torch._utils._rebuild_tensor",
          "torch._utils._rebuild_tensor_v2",
          "torch._utils._rebuild_tensor_v3",
          "torch._utils._rebuild_parameter",
          "torch._utils._rebuild_parameter_with_state",
          "torch._utils._rebuild_qtensor",
          "torch._utils._rebuild_sparse_tensor",
          "torch._utils._rebuild_sparse_csr_tensor",
          "torch._utils._rebuild_meta_tensor_no_storage",
          "torch._utils._rebuild_nested_tensor",
          "torch._utils._rebuild_wrapper_subclass",
          "torch._utils._rebuild_device_tensor_from_cpu_tensor",
          "torch._utils._rebuild_device_tensor_from_numpy",
          "torch._utils._rebuild_xla_tensor",
          "torch._tensor._rebuild_from_type_v2");

  /** {@code torch/_weights_only_unpickler.py}, 2.14, beside dtypes, tensors and storages. */
  private static final Set<String> ALLOWED =
      Set.of(
          "collections.OrderedDict",
          "collections.Counter",
          "torch.nn.parameter.Parameter",
          "torch.serialization._get_layout",
          "torch.Size",
          "torch.Tensor",
          "torch.device",
          "_codecs.encode",
          "builtins.bytearray",
          "builtins.set",
          "builtins.complex",
          "torch.per_tensor_affine",
          "torch.per_tensor_symmetric",
          "torch.per_channel_affine",
          "torch.per_channel_symmetric",
          "torch.per_channel_affine_float_qparams");

  /**
   * Modules with which a pickle runs what its author likes. Naming them is for the message alone:
   * nothing is run whether a name stands here or not.
   */
  private static final Set<String> DANGEROUS_MODULES =
      Set.of(
          "os",
          "posix",
          "nt",
          "sys",
          "subprocess",
          "pty",
          "socket",
          "shutil",
          "runpy",
          "importlib",
          "ctypes",
          "pickle",
          "_pickle",
          "webbrowser",
          "timeit",
          "marshal",
          "pdb",
          "bdb");

  private static final Set<String> DANGEROUS_BUILTINS =
      Set.of(
          "eval",
          "exec",
          "compile",
          "open",
          "getattr",
          "setattr",
          "delattr",
          "__import__",
          "apply",
          "execfile",
          "input",
          "breakpoint",
          "globals",
          "vars");

  /** Those of {@code Unpickler._load} in {@code torch/_weights_only_unpickler.py}, 2.14. */
  private static final Set<Opcode> TAKEN =
      EnumSet.of(
          Opcode.GLOBAL,
          Opcode.NEWOBJ,
          Opcode.REDUCE,
          Opcode.BUILD,
          Opcode.APPEND,
          Opcode.APPENDS,
          Opcode.SETITEM,
          Opcode.SETITEMS,
          Opcode.MARK,
          Opcode.TUPLE,
          Opcode.TUPLE1,
          Opcode.TUPLE2,
          Opcode.TUPLE3,
          Opcode.NONE,
          Opcode.NEWFALSE,
          Opcode.NEWTRUE,
          Opcode.EMPTY_TUPLE,
          Opcode.EMPTY_LIST,
          Opcode.EMPTY_DICT,
          Opcode.EMPTY_SET,
          Opcode.BININT,
          Opcode.BININT1,
          Opcode.BININT2,
          Opcode.BINFLOAT,
          Opcode.BINUNICODE,
          Opcode.SHORT_BINSTRING,
          Opcode.BINPERSID,
          Opcode.BINGET,
          Opcode.LONG_BINGET,
          Opcode.BINPUT,
          Opcode.LONG_BINPUT,
          Opcode.LONG1,
          Opcode.PROTO,
          Opcode.STOP);

  /** Whether {@code torch.load} takes the opcode by default. */
  static boolean takes(Opcode opcode) {
    return TAKEN.contains(opcode);
  }

  static boolean rebuilds(Global global) {
    return REBUILD.contains(global.qualifiedName());
  }

  /** Whether {@code torch.load} takes the name by default, as it does since torch 2.6. */
  static boolean isAllowed(String qualifiedName) {
    if (ALLOWED.contains(qualifiedName)) {
      return true;
    }
    if (REBUILD.contains(qualifiedName)) {
      return !qualifiedName.endsWith("_rebuild_nested_tensor")
          && !qualifiedName.endsWith("_rebuild_sparse_csr_tensor")
          && !qualifiedName.endsWith("_rebuild_xla_tensor");
    }
    int dot = qualifiedName.lastIndexOf('.');
    String name = qualifiedName.substring(dot + 1);
    return switch (qualifiedName.substring(0, Math.max(0, dot))) {
      case "torch" -> Dtype.isTorch(name) || isStorage(name) || isTensor(name);
      case "torch.cuda", "torch.sparse", "torch.cuda.sparse" -> isStorage(name) || isTensor(name);
      case "torch.storage" -> name.equals("UntypedStorage") || name.equals("TypedStorage");
      default -> false;
    };
  }

  /** Whether what it makes is no object to speak of: a device, a number, bytes. */
  static boolean isPlain(String qualifiedName) {
    return isAllowed(qualifiedName) || qualifiedName.equals("numpy.dtype");
  }

  /** Whether it is a class such as {@code torch.FloatTensor} or {@code torch.cuda.HalfTensor}. */
  static boolean isTensorClass(Global global) {
    return (global.module().equals("torch") || global.module().equals("torch.cuda"))
        && isTensor(global.name());
  }

  /** Whether a name has no business in a file of tensors. */
  static boolean isDangerous(String qualifiedName) {
    int dot = qualifiedName.indexOf('.');
    String module = qualifiedName.substring(0, Math.max(0, dot));
    return DANGEROUS_MODULES.contains(module)
        || (module.equals("builtins")
            && DANGEROUS_BUILTINS.contains(qualifiedName.substring(dot + 1)));
  }

  private static boolean isStorage(String name) {
    return Dtype.ofStorageClass(name) != null || name.equals("UntypedStorage");
  }

  private static boolean isTensor(String name) {
    return name.endsWith("Tensor")
        && Dtype.ofStorageClass(name.substring(0, name.length() - 6) + "Storage") != null;
  }
}
