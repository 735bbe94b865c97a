package dev.eagle3.tensor;

import java.util.List;

/** What the reader of one format found in a file; the fields are those of {@link TensorFile}. */
record TensorContent(
    ContainerKind container,
    List<String> keys,
    List<TensorEntry> tensors,
    List<ArrayEntry> arrays,
    List<String> globals) {

  TensorContent as(ContainerKind kind) {
    return new TensorContent(kind, keys, tensors, arrays, globals);
  }

  static TensorContent nothing(ContainerKind container) {
    return new TensorContent(container, List.of(), List.of(), List.of(), List.of());
  }
}
