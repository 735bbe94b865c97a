package dev.eagle3.expect;

import java.util.Map;
import java.util.Optional;

/**
 * What a model's {@code config.json} says of the language model inside it.
 *
 * @param hiddenSize H
 * @param layers decoder layers; those for multi-token prediction ({@code num_nextn_predict_layers})
 *     come after them and are not counted, as no extractor captures them
 * @param dtype dtype that the layers' output has when nothing converts it; empty when the config
 *     does not settle it
 * @param vocabulary how many token ids it has; empty when the config does not say it beside H
 * @param otherSizes sizes that other tensors of the model have, with their names: {@code
 *     intermediate_size}, {@code vision_config.hidden_size}
 * @param source the file and, where nested, the part of it
 */
public record ModelConfig(
    long hiddenSize,
    int layers,
    Optional<String> dtype,
    Optional<Long> vocabulary,
    Map<Long, String> otherSizes,
    String source) {
  /** Copies the map. */
  public ModelConfig {
    otherSizes = Map.copyOf(otherSizes);
  }
}
