package dev.eagle3.verify;

import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.TensorFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The schemas that are known. A new one is a new entry here, and a row in the tests. */
public final class Schemas {
  /**
   * speculators 0.3 and 0.4, {@code data_N.pt}: one sample a file, layers as saved by {@code
   * scripts/data_generation_offline.py}, in the order of the model.
   */
  public static final Schema SPECULATORS =
      new Schema(
          "speculators-list",
          ContainerKind.TORCH_ZIP,
          ".pt",
          "data_",
          Set.of("input_ids", "hidden_states", "loss_mask"),
          "hidden_states",
          LayerEncoding.LIST_OF_LAYERS,
          "input_ids",
          Optional.of("loss_mask"));

  /**
   * vLLM's hidden-states connector, {@code REQUEST.safetensors}, which speculators 0.5 and later
   * keeps as {@code hs_N.safetensors}. The loss mask stays in the prepared data.
   */
  public static final Schema VLLM_CONNECTOR =
      new Schema(
          "vllm-connector",
          ContainerKind.SAFETENSORS,
          ".safetensors",
          "hs_",
          Set.of("hidden_states", "token_ids"),
          "hidden_states",
          LayerEncoding.STACKED_ON_AXIS_1,
          "token_ids",
          Optional.empty());

  /** All of them. No two have equal keys and lay their layers out in one way. */
  public static final List<Schema> KNOWN = List.of(SPECULATORS, VLLM_CONNECTOR);

  private Schemas() {}

  /** The schema of the file: the one with its very keys, else one that differs in few of them. */
  static Optional<Schema> of(TensorFile file) {
    return KNOWN.stream()
        .filter(schema -> schema.isOf(file))
        .findFirst()
        .or(() -> KNOWN.stream().filter(schema -> schema.isNearly(file)).findFirst());
  }
}
