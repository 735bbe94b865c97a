package dev.eagle3.tensor;

import java.util.List;
import java.util.Map;

/** What the reader of one format found in a file; the fields are those of {@link TensorFile}. */
record TensorContent(
    ContainerKind container,
    List<String> keys,
    List<TensorEntry> tensors,
    List<ArrayEntry> arrays,
    List<String> globals,
    Map<String, String> texts) {

  /** Without texts. */
  TensorContent(
      ContainerKind container,
      List<String> keys,
      List<TensorEntry> tensors,
      List<ArrayEntry> arrays,
      List<String> globals) {
    this(container, keys, tensors, arrays, globals, Map.of());
  }

  /** All that a pickle says. */
  static TensorContent of(ContainerKind container, TorchPickle torch, List<TensorEntry> tensors) {
    return new TensorContent(
        container, torch.keys(), tensors, torch.arrays(), torch.globals(), torch.texts());
  }

  TensorContent as(ContainerKind kind) {
    return new TensorContent(kind, keys, tensors, arrays, globals, texts);
  }

  /** The same, with other globals. */
  TensorContent withGlobals(List<String> others) {
    return new TensorContent(container, keys, tensors, arrays, others, texts);
  }

  static TensorContent nothing(ContainerKind container) {
    return new TensorContent(container, List.of(), List.of(), List.of(), List.of());
  }
}
