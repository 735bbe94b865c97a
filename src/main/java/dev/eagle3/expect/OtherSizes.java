package dev.eagle3.expect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Finds the sizes in a model's config that tensors other than the hidden states have. */
final class OtherSizes {
  private static final List<String> NAMES =
      List.of("hidden_size", "intermediate_size", "lora_rank", "embed_dim", "vocab_size");

  /** Smaller ones are met by chance. */
  private static final long LEAST = 64;

  private static final long MOST = 1L << 32;
  private static final int MOST_SIZES = 64;

  private OtherSizes() {}

  /** By size, the names under which the config says it, at the top and in its parts. */
  static Map<Long, String> of(JsonNode root, long hiddenSize) {
    Map<Long, String> sizes = new LinkedHashMap<>();
    add(root, "", hiddenSize, sizes);
    for (Map.Entry<String, JsonNode> part : root.properties()) {
      if (part.getValue().isObject()) {
        add(part.getValue(), part.getKey() + ".", hiddenSize, sizes);
      }
    }
    return sizes;
  }

  private static void add(JsonNode node, String place, long hiddenSize, Map<Long, String> sizes) {
    for (String name : node.propertyNames()) {
      if (NAMES.stream().noneMatch(name::endsWith) || sizes.size() == MOST_SIZES) {
        continue;
      }
      JsonFile.positive(node, name, MOST)
          .filter(size -> size >= LEAST && size != hiddenSize)
          .ifPresent(size -> sizes.merge(size, place + name, (one, other) -> one));
    }
    long heads = JsonFile.positive(node, "num_attention_heads", MOST).orElse(0L);
    long each = JsonFile.positive(node, "head_dim", MOST).orElse(0L);
    long product = heads < MOST / Math.max(each, 1) ? heads * each : 0;
    if (product >= LEAST && product != hiddenSize && sizes.size() < MOST_SIZES) {
      sizes.putIfAbsent(product, place + "num_attention_heads * " + place + "head_dim");
    }
  }
}
