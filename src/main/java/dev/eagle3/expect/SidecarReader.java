package dev.eagle3.expect;

import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads what speculators 0.3 and 0.4 write beside their samples: {@code data_config.json} and
 * {@code sample_lengths.json}. Both are written at the very end, so they are missing after a crash;
 * and a resumed run wrote the lengths of its own samples only (speculators issue 295), so their
 * number is not the number of samples.
 */
final class SidecarReader {
  private static final long MOST = Integer.MAX_VALUE;

  private static final Map<String, String> DTYPES =
      Map.of("bf16", "bfloat16", "fp16", "float16", "fp32", "float32");

  private final JsonFile json;

  SidecarReader(FileTree files) {
    this.json = new JsonFile(files);
  }

  /** What {@code data_config.json} of the folder says; nothing when it is not there. */
  Expectation readDataConfig(String folder) throws IOException {
    String path = folder + "/data_config.json";
    Optional<JsonNode> there = json.read(path);
    if (there.isEmpty()) {
      return Expectation.NONE;
    }
    JsonNode root = there.get();
    JsonNode layerSchema = root.path("format").path("schema").path("hidden_states");
    Expectation said = Expectation.NONE;
    Optional<Long> layers =
        JsonFile.positive(layerSchema, "num_tensors", MOST)
            .or(() -> sizeOf(root.path("hidden_states").path("layer_ids")));
    if (layers.isPresent()) {
      said = said.withLayers(layers.get().intValue(), path);
    }
    Optional<Long> hiddenSize = JsonFile.positive(root.path("model"), "hidden_size", MOST);
    if (hiddenSize.isPresent()) {
      said = said.withHiddenSize(hiddenSize.get(), path);
    }
    Optional<Long> maxTokens = JsonFile.positive(root.path("data"), "seq_length", MOST);
    if (maxTokens.isPresent()) {
      said = said.withMaxTokens(maxTokens.get().intValue(), path);
    }
    Optional<Long> samples = JsonFile.positive(root.path("data"), "num_samples", MOST);
    if (samples.isPresent()) {
      said = said.withSamples(samples.get(), path);
    }
    return said;
  }

  /**
   * What {@code manifest.json} of NeMo Automodel says. It is written before the shards, each of
   * which holds {@code shard_size} samples, but for the last.
   */
  Expectation readManifest(String folder) throws IOException {
    String path = folder + "/manifest.json";
    Optional<JsonNode> there = json.read(path);
    if (there.isEmpty() || there.get().path("format_version").isMissingNode()) {
      return Expectation.NONE;
    }
    JsonNode root = there.get();
    Expectation said = Expectation.NONE;
    Optional<Long> layers = sizeOf(root.path("aux_layer_ids"));
    if (layers.isPresent()) {
      said = said.withLayers(layers.get().intValue(), path);
    }
    Optional<Long> width = JsonFile.positive(root, "aux_hidden_dim", MOST);
    if (layers.isPresent() && width.isPresent() && width.get() % layers.get() == 0) {
      said = said.withHiddenSize(width.get() / layers.get(), path);
    }
    @Nullable String dtype = DTYPES.get(root.path("dtype").stringValue(""));
    if (dtype != null) {
      said = said.withDtype(dtype, path);
    }
    Optional<Long> samples = JsonFile.positive(root, "num_samples", MOST);
    Optional<Long> shard = JsonFile.positive(root, "shard_size", MOST);
    if (samples.isPresent() && shard.isPresent()) {
      long shards = (samples.get() + shard.get() - 1) / shard.get();
      said = said.withSamples(shards, path + ", in shards of " + shard.get());
    }
    return said;
  }

  /** Tokens by number of the sample from {@code sample_lengths.json}: {@code {"0":512,"1":259}}. */
  Expectation readSampleLengths(String folder) throws IOException {
    Optional<JsonNode> there = json.read(folder + "/sample_lengths.json");
    if (there.isEmpty()) {
      return Expectation.NONE;
    }
    Map<Long, Long> tokens = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : there.get().properties()) {
      if (isNumber(entry.getKey()) && entry.getValue().canConvertToLong()) {
        tokens.put(Long.valueOf(entry.getKey()), entry.getValue().longValue());
      }
    }
    return Expectation.NONE.withSampleTokens(tokens);
  }

  private static Optional<Long> sizeOf(JsonNode list) {
    return list.isArray() && list.size() > 0 ? Optional.of((long) list.size()) : Optional.empty();
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= 18
        && text.chars().allMatch(letter -> letter >= '0' && letter <= '9');
  }
}
