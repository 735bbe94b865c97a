package dev.eagle3.verify;

import dev.eagle3.extractor.LayerNumbering;
import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How one extraction program lays out a sample in a file. A schema is told by its whole set of
 * keys, never by one of them: {@code hidden_states} means all layers in one program, the last one
 * in another.
 *
 * @param name as users read it
 * @param containers what its files may be, whatever their names end with
 * @param layout its names and folders
 * @param keys top-level names that every file has
 * @param optionalKeys names that a file may have beside them
 * @param layersKey the name that holds the layers
 * @param encoding how the layers lie under it
 * @param lastKey the name that holds the model's last layer, {@code [T, H]}, where that does not
 *     lie with the others
 * @param batching whether tensors have a dimension for the batch
 * @param tokensKey the name that holds the token ids, {@code [T]}
 * @param maskKey the name that holds the loss mask, {@code [T]}; empty when it has none
 * @param packedMaskKey the name of a text that holds the loss mask as lengths of runs, of zeros
 *     first: {@code 2,3,2}; empty where the mask is a tensor or there is none
 * @param dtype the dtype that its program converts layers to, whatever the model has; empty where
 *     it keeps that of the model
 * @param numbering what the layer ids mean that its program takes
 * @param padded whether samples of a batch are saved with the padding behind them, so that T is the
 *     longest of the batch
 */
public record Schema(
    String name,
    Set<ContainerKind> containers,
    SampleLayout layout,
    Set<String> keys,
    Set<String> optionalKeys,
    String layersKey,
    LayerEncoding encoding,
    Optional<String> lastKey,
    Batching batching,
    String tokensKey,
    Optional<String> maskKey,
    Optional<String> packedMaskKey,
    Optional<String> dtype,
    LayerNumbering numbering,
    boolean padded) {

  /** Copies the sets. */
  public Schema {
    containers = Set.copyOf(containers);
    keys = Set.copyOf(keys);
    optionalKeys = Set.copyOf(optionalKeys);
  }

  /** The usual extension of its files, with the dot. */
  public String extension() {
    return layout.extensions().get(0);
  }

  /** What stands before the number in the names of its files; empty where they have none. */
  public String numberedAs() {
    return layout.numberedAs();
  }

  /**
   * Whether its program saves fewer samples than it is given when all is well: SpecForge drops
   * batches that are not full, ModelOpt what is too short or too long.
   */
  boolean passesOver() {
    return !layout.dense() && batching != Batching.MANY;
  }

  /** Whether the file is of a container that this schema is written in. */
  boolean isIn(ContainerKind kind) {
    return containers.contains(kind);
  }

  /** Whether the file has the keys of this schema, all and no others. */
  boolean hasKeysOf(TensorFile file) {
    int there = 0;
    for (String key : file.keys()) {
      if (keys.contains(key)) {
        there++;
      } else if (!optionalKeys.contains(key)) {
        return false;
      }
    }
    return there >= keys.size() && missingFrom(file).isEmpty();
  }

  /** Whether the tensors under the layers' key lie as this schema lays them, with all sizes. */
  boolean fitsLayers(TensorFile file) {
    List<TensorEntry> tensors = file.under(layersKey);
    boolean sizes =
        encoding == LayerEncoding.LIST_OF_LAYERS
            || tensors.stream().allMatch(tensor -> batching.fits(tensor.shape(), encoding.rank()));
    return encoding.holds(layersKey, tensors) && sizes;
  }

  /** Whether something lies under the layers' key that could be meant as the layers. */
  boolean hasLayers(TensorFile file) {
    List<TensorEntry> tensors = file.under(layersKey);
    boolean one = tensors.size() == 1 && tensors.get(0).path().equals(layersKey);
    return file.keys().contains(layersKey) && (one || encoding.holds(layersKey, tensors));
  }

  /** Keys that the file lacks, sorted. */
  Set<String> missingFrom(TensorFile file) {
    Set<String> missing = new TreeSet<>(keys);
    file.keys().forEach(missing::remove);
    return missing;
  }

  /** Keys that the file has and the schema does not, sorted. */
  Set<String> extraIn(TensorFile file) {
    Set<String> extra = new TreeSet<>(file.keys());
    extra.removeAll(keys);
    extra.removeAll(optionalKeys);
    return extra;
  }
}
