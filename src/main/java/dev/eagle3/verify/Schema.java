package dev.eagle3.verify;

import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.TensorFile;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How one extraction program lays out a sample in a file. A schema is told by its whole set of
 * keys, never by one of them: {@code hidden_states} means all layers in one program, the last one
 * in another.
 *
 * @param name as users read it
 * @param container what the file is
 * @param extension of its files, with the dot
 * @param numberedAs what stands before the number in names of files that are numbered from 0
 * @param keys all top-level names
 * @param layersKey the name that holds the layers
 * @param encoding how the layers lie under it
 * @param tokensKey the name that holds the token ids, {@code [T]}
 * @param maskKey the name that holds the loss mask, {@code [T]}; empty when it has none
 */
public record Schema(
    String name,
    ContainerKind container,
    String extension,
    String numberedAs,
    Set<String> keys,
    String layersKey,
    LayerEncoding encoding,
    String tokensKey,
    Optional<String> maskKey) {

  /** Copies the set. */
  public Schema {
    keys = Set.copyOf(keys);
  }

  /** Whether the file has the keys of this schema, all and no others, and layers that lie so. */
  boolean isOf(TensorFile file) {
    return holdsLayers(file) && keys.equals(Set.copyOf(file.keys()));
  }

  /**
   * Whether the file is of this schema but for keys that are missing or too many: it has the layers
   * as this schema lays them, and the token ids beside them.
   */
  boolean isNearly(TensorFile file) {
    return holdsLayers(file) && file.keys().contains(tokensKey);
  }

  /** Keys that the file lacks, sorted. */
  Set<String> missingFrom(TensorFile file) {
    Set<String> missing = new TreeSet<>(keys);
    missing.removeAll(Set.copyOf(file.keys()));
    return missing;
  }

  /** Keys that the file has and the schema does not, sorted. */
  Set<String> extraIn(TensorFile file) {
    Set<String> extra = new TreeSet<>(file.keys());
    extra.removeAll(keys);
    return extra;
  }

  private boolean holdsLayers(TensorFile file) {
    return file.container() == container
        && file.keys().contains(layersKey)
        && encoding.holds(layersKey, file.under(layersKey));
  }
}
