package dev.eagle3.expect;

import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Reads of {@code config.json} what it takes to turn states of the last layer into logits. */
public final class HeadConfigReader {
  private static final List<String> EPSILONS =
      List.of("rms_norm_eps", "norm_eps", "layernorm_epsilon");

  /** Model types whose RMSNorm multiplies by 1 + weight. */
  private static final Set<String> OFFSET_NORMS =
      Set.of(
          "gemma",
          "gemma2",
          "gemma3",
          "gemma3_text",
          "recurrent_gemma",
          "qwen3_next",
          "qwen3_5",
          "qwen3_5_text",
          "qwen3_5_moe",
          "qwen3_5_moe_text");

  private final JsonFile json;

  /** Reads through {@code files}, which stays open. */
  public HeadConfigReader(FileTree files) {
    this.json = new JsonFile(files);
  }

  /**
   * What the config says; empty when there is none.
   *
   * @throws UnreadableJsonException when it is there and is no JSON object
   */
  public Optional<HeadConfig> read(String modelFolder) throws IOException {
    return json.read(modelFolder + "/config.json").map(HeadConfigReader::find);
  }

  private static HeadConfig find(JsonNode root) {
    JsonNode part = root;
    for (List<String> place : ModelConfigReader.PLACES) {
      JsonNode node = root;
      for (String name : place) {
        node = node.path(name);
      }
      if (node.path("hidden_size").isIntegralNumber()) {
        part = node;
        break;
      }
    }
    OptionalDouble epsilon = OptionalDouble.empty();
    for (String key : EPSILONS) {
      JsonNode value = part.path(key);
      if (epsilon.isEmpty() && value.isNumber() && value.doubleValue() >= 0) {
        epsilon = OptionalDouble.of(value.doubleValue());
      }
    }
    JsonNode tied = part.path("tie_word_embeddings");
    boolean isTied = (tied.isBoolean() ? tied : root.path("tie_word_embeddings")).asBoolean(false);
    boolean isOffset = OFFSET_NORMS.contains(part.path("model_type").asString(""));
    return new HeadConfig(epsilon, isOffset, isTied);
  }
}
