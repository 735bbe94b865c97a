package dev.eagle3.expect;

import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the manifest of a DeepSpec target cache. */
public final class ShardManifestReader {
  private static final int RECORD_BYTES = 56;
  private static final int MOST_SHARDS = 100_000;
  private static final long MOST_HIDDEN_SIZE = 1L << 20;

  private final JsonFile json;

  /** Reads through {@code files}, which stays open. */
  public ShardManifestReader(FileTree files) {
    this.json = new JsonFile(files);
  }

  /**
   * The manifest of the folder; empty when there is none, or when it is that of another program.
   *
   * @throws IOException when the connection is gone
   */
  public Optional<ShardManifest> read(String folder) throws IOException {
    try {
      return json.read(folder + "/manifest.json").flatMap(ShardManifestReader::manifest);
    } catch (UnreadableJsonException broken) {
      return Optional.empty();
    }
  }

  private static Optional<ShardManifest> manifest(JsonNode root) {
    JsonNode ids = root.path("target_layer_ids");
    Optional<Long> record = JsonFile.positive(root, "index_record_size", RECORD_BYTES);
    Optional<Long> samples = JsonFile.positive(root, "num_samples", Integer.MAX_VALUE);
    Optional<Long> hiddenSize = JsonFile.positive(root, "hidden_size", MOST_HIDDEN_SIZE);
    Optional<List<String>> shards = shards(root.path("shards"));
    boolean known = record.filter(bytes -> bytes == RECORD_BYTES).isPresent() && ids.isArray();
    if (!known || samples.isEmpty() || hiddenSize.isEmpty() || shards.isEmpty()) {
      return Optional.empty();
    }
    String dtype = root.path("hidden_dtype").stringValue("bfloat16");
    return Optional.of(
        new ShardManifest(samples.get(), shards.get(), ids.size(), hiddenSize.get(), dtype));
  }

  /** The names by number; empty unless each is a plain name and every number is there. */
  private static Optional<List<String>> shards(JsonNode list) {
    if (!list.isArray() || list.isEmpty() || list.size() > MOST_SHARDS) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    for (JsonNode shard : list) {
      @Nullable String name = shard.path("file_name").stringValue(null);
      boolean next = shard.path("shard_id").asLong(-1) == names.size();
      if (name == null || name.isEmpty() || name.contains("/") || !next) {
        return Optional.empty();
      }
      names.add(name);
    }
    return Optional.of(names);
  }
}
