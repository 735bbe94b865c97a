package dev.eagle3.expect;

import java.util.Optional;

/**
 * What a model's {@code config.json} says of the language model inside it.
 *
 * @param hiddenSize H
 * @param layers decoder layers; those for multi-token prediction ({@code num_nextn_predict_layers})
 *     come after them and are not counted, as no extractor captures them
 * @param dtype dtype that the layers' output has when nothing converts it; empty when the config
 *     does not settle it
 * @param source the file and, where nested, the part of it
 */
public record ModelConfig(long hiddenSize, int layers, Optional<String> dtype, String source) {}
