package dev.eagle3.expect;

import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads {@code config.json} of a model. Sizes are taken from the top level when both stand there,
 * else from the part that holds the language model; never from another part, as vision and audio
 * parts have hidden sizes of their own.
 */
public final class ModelConfigReader {
  /** Parts that hold the language model, in the order in which they are tried. */
  static final List<List<String>> PLACES =
      List.of(
          List.of(),
          List.of("text_config"),
          List.of("llm_config"),
          List.of("language_config"),
          List.of("thinker_config", "text_config"));

  /** Dtypes that vLLM and transformers keep; a float32 model runs as float16 or bfloat16. */
  private static final Set<String> KEPT_DTYPES = Set.of("bfloat16", "float16");

  private static final long MOST_HIDDEN_SIZE = 1L << 24;
  private static final long MOST_LAYERS = 1L << 16;
  private static final long MOST_VOCABULARY = 1L << 32;

  private final JsonFile json;

  /** Reads through {@code files}, which stays open. */
  public ModelConfigReader(FileTree files) {
    this.json = new JsonFile(files);
  }

  /**
   * The config of the model in {@code modelFolder}; empty when there is none, or when it does not
   * say both sizes (the class of the model then has defaults that we do not know).
   *
   * @throws UnreadableJsonException when it is there and is no JSON object
   */
  public Optional<ModelConfig> read(String modelFolder) throws IOException {
    String path = modelFolder + "/config.json";
    Optional<JsonNode> root = json.read(path);
    return root.isEmpty() ? Optional.empty() : find(root.get(), path);
  }

  private static Optional<ModelConfig> find(JsonNode root, String path) {
    for (List<String> place : PLACES) {
      JsonNode node = root;
      for (String part : place) {
        node = node.path(part);
      }
      Optional<Long> hiddenSize = JsonFile.positive(node, "hidden_size", MOST_HIDDEN_SIZE);
      Optional<Long> layers = JsonFile.positive(node, "num_hidden_layers", MOST_LAYERS);
      if (hiddenSize.isPresent() && layers.isPresent()) {
        String source = place.isEmpty() ? path : path + " (" + String.join(".", place) + ")";
        return Optional.of(
            new ModelConfig(
                hiddenSize.get(),
                layers.get().intValue(),
                dtypeOf(node, root),
                JsonFile.positive(node, "vocab_size", MOST_VOCABULARY),
                OtherSizes.of(root, hiddenSize.get()),
                source));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> dtypeOf(JsonNode node, JsonNode root) {
    for (JsonNode place : List.of(node, root)) {
      for (String key : List.of("dtype", "torch_dtype")) {
        @Nullable String name = place.path(key).stringValue(null);
        if (name != null) {
          String bare = name.startsWith("torch.") ? name.substring("torch.".length()) : name;
          return Optional.of(bare).filter(KEPT_DTYPES::contains);
        }
      }
    }
    return Optional.empty();
  }
}
