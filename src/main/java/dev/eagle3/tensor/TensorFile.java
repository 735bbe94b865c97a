package dev.eagle3.tensor;

import dev.eagle3.outcome.Finding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * What a tensor file holds, read from its header and directory; no values were read.
 *
 * @param name how messages name the file
 * @param container what the file is
 * @param bytes its size
 * @param keys top-level names in file order, tensors or not; empty for a bare tensor or list
 * @param tensors all tensors in file order
 * @param arrays arrays of NumPy that stand in the pickle itself, in file order
 * @param globals every class or function that a pickle names, in order of first appearance; none of
 *     them was looked up, imported or called
 * @param findings what is wrong with the file itself (cut, storages missing, hostile); with an
 *     error among them, tensors may be incomplete
 * @param texts short texts that stand at the top of the pickle, by name: {@code packed_loss_mask}
 */
public record TensorFile(
    String name,
    ContainerKind container,
    long bytes,
    List<String> keys,
    List<TensorEntry> tensors,
    List<ArrayEntry> arrays,
    List<String> globals,
    List<Finding> findings,
    Map<String, String> texts) {

  /** Copies the lists. */
  public TensorFile {
    keys = List.copyOf(keys);
    tensors = List.copyOf(tensors);
    arrays = List.copyOf(arrays);
    globals = List.copyOf(globals);
    findings = List.copyOf(findings);
    texts = Map.copyOf(texts);
  }

  /** A file without texts. */
  public TensorFile(
      String name,
      ContainerKind container,
      long bytes,
      List<String> keys,
      List<TensorEntry> tensors,
      List<ArrayEntry> arrays,
      List<String> globals,
      List<Finding> findings) {
    this(name, container, bytes, keys, tensors, arrays, globals, findings, Map.of());
  }

  /** A file without arrays of NumPy. */
  public TensorFile(
      String name,
      ContainerKind container,
      long bytes,
      List<String> keys,
      List<TensorEntry> tensors,
      List<String> globals,
      List<Finding> findings) {
    this(name, container, bytes, keys, tensors, List.of(), globals, findings);
  }

  /** The same file with other findings. */
  public TensorFile withFindings(List<Finding> others) {
    return new TensorFile(name, container, bytes, keys, tensors, arrays, globals, others, texts);
  }

  /** Whether its values are big-endian, as the file itself says; torch swaps them while loading. */
  public boolean isBigEndian() {
    return findings.stream().anyMatch(finding -> finding.code().equals("file.big-endian"));
  }

  /** The tensors under one top-level name, in order: the layers of {@code hidden_states}, say. */
  public List<TensorEntry> under(String key) {
    List<TensorEntry> under = new ArrayList<>();
    for (TensorEntry tensor : tensors) {
      if (tensor.key().equals(key)) {
        under.add(tensor);
      }
    }
    return Collections.unmodifiableList(under);
  }
}
