package dev.eagle3.verify;

import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One good file of every schema: T tokens, three layers of H, and the last one where it is kept.
 */
public final class GoodSamples {
  private static final String BF = "bfloat16";

  private GoodSamples() {}

  /** The files by the names of their schemas. */
  public static Map<String, TensorFile> of(long t, long h) {
    TensorFile modelOpt =
        ids("abc.pt", t)
            .tensor("aux_hidden_states", BF, t, 3 * h)
            .tensor("hidden_states", BF, t, h)
            .file(
                List.of(
                    "input_ids",
                    "loss_mask",
                    "aux_hidden_states",
                    "hidden_states",
                    "conversation_id"));
    return Map.ofEntries(
        Map.entry("speculators-list", SampleFiles.sample("data_0.pt", t, 3, t, h)),
        Map.entry(
            "vllm-connector",
            SampleFiles.safetensors("a.safetensors")
                .tensor("hidden_states", BF, t, 3L, h)
                .tensor("token_ids", "int64", t)
                .file()),
        Map.entry("specforge-eagle3", specForge(t, h)),
        Map.entry(
            "specforge-dflash",
            ids("data_0.ckpt", t).tensor("hidden_states", BF, 1L, t, 3 * h).file()),
        Map.entry(
            "specforge-dspark",
            ids("data_0.ckpt", t)
                .tensor("hidden_states", BF, 1L, t, 3 * h)
                .tensor("target_last_hidden_states", BF, 1L, t, h)
                .file()),
        Map.entry("modelopt-hf", modelOpt),
        Map.entry("modelopt-vllm", inOneStorage(modelOpt)),
        Map.entry(
            "modelopt-trtllm",
            SampleFiles.torch("abc.pt")
                .tensor("input_ids", "int64", t)
                .tensor("aux_hidden_states", BF, t, 3 * h)
                .tensor("hidden_states", BF, t, h)
                .file(
                    List.of("input_ids", "aux_hidden_states", "hidden_states", "conversation_id"))),
        Map.entry("angelslim", angelSlim(t, h)),
        Map.entry(
            "baldeagle-fused", ids("0/data_0.ckpt", t).tensor("hidden_state", BF, 3L, t, h).file()),
        Map.entry(
            "safeailab-ge-data", ids("0/data_0.ckpt", t).tensor("hidden_state", BF, t, h).file()),
        Map.entry("torchspec-offline", torchSpec(t, h)),
        Map.entry("nemo-eagle3", shard(5, t).tensor("aux_hidden_states", BF, 5L, t, 3 * h).file()));
  }

  /** The file of one schema. */
  public static TensorFile named(String schema, long t, long h) {
    return Objects.requireNonNull(of(t, h).get(schema), schema);
  }

  /** A sample of SpecForge's eagle3. */
  public static TensorFile specForge(long t, long h) {
    return ids("rows_0-2000/data_0.ckpt", t)
        .tensor("aux_hidden_state", BF, 1L, t, 3 * h)
        .tensor("hidden_state", BF, 1L, t, h)
        .file();
  }

  private static TensorFile angelSlim(long t, long h) {
    return SampleFiles.torch("rank_0/rows_0-5000/data_0.ckpt")
        .tensor("input_ids", "int64", 1L, t)
        .tensor("loss_mask", "int64", 1L, t)
        .tensor("hidden_states", BF, 1L, t, 3 * h)
        .tensor("target_hiddens", BF, 1L, t, h)
        .tensor("inputs_embeds", BF, 1L, t, h)
        .tensor("position_ids", "int64", 3L, 1L, t)
        .file();
  }

  private static TensorFile torchSpec(long t, long h) {
    return SampleFiles.torch("samples/0a1b.pt")
        .tensor("input_ids", "int64", t)
        .tensor("hidden_states", BF, t, 3 * h)
        .tensor("last_hidden_states", BF, t, h)
        .file(
            List.of(
                "input_ids",
                "hidden_states",
                "last_hidden_states",
                "data_id",
                "packed_loss_mask",
                "metadata"));
  }

  /** A shard of NeMo without its layers. */
  static SampleFiles shard(long samples, long t) {
    return SampleFiles.safetensors("shard-000000.safetensors")
        .tensor("input_ids", "int64", samples, t)
        .tensor("attention_mask", "int64", samples, t)
        .tensor("loss_mask", "int64", samples, t)
        .tensor("position_mask", "bool", samples, t, 1L)
        .tensor("target_probs", BF, samples, t, 100L);
  }

  private static SampleFiles ids(String path, long t) {
    return SampleFiles.torch(path).tensor("input_ids", "int64", t).tensor("loss_mask", "int64", t);
  }

  /** The file with its hidden states as views of one storage, as ModelOpt saves them from vLLM. */
  private static TensorFile inOneStorage(TensorFile file) {
    StorageExtent one = new StorageExtent("1", 4608, 64, 4608, 4608);
    List<TensorEntry> views =
        file.tensors().stream()
            .map(tensor -> tensor.key().endsWith("hidden_states") ? in(one, tensor) : tensor)
            .toList();
    return new TensorFile(
        file.name(), file.container(), 9, file.keys(), views, List.of(), List.of());
  }

  private static TensorEntry in(StorageExtent storage, TensorEntry tensor) {
    return new TensorEntry(
        tensor.path(), tensor.key(), tensor.dtype(), tensor.shape(), tensor.stride(), 0, storage);
  }
}
