package dev.eagle3.verify;

import dev.eagle3.extractor.LayerNumbering;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The schemas that are known. A new one is a new entry here, and a row in the tests. */
public final class Schemas {
  private static final String ROWS = "rows_A-B";

  /**
   * speculators 0.3 and 0.4, {@code data_N.pt}: one sample a file, layers as saved by {@code
   * scripts/data_generation_offline.py}, in the order of the model.
   */
  public static final Schema SPECULATORS =
      SchemaBuilder.torch("speculators-list", SampleLayout.numbered("data_", ".pt"))
          .layers("hidden_states", LayerEncoding.LIST_OF_LAYERS)
          .ids("input_ids")
          .mask("loss_mask")
          .build();

  /**
   * vLLM's hidden-states connector, {@code REQUEST.safetensors}, which speculators 0.5 and later
   * keeps as {@code hs_N.safetensors}. The loss mask stays in the prepared data. For a while vLLM
   * wrote the same with {@code torch.save} (pull request 37374).
   */
  public static final Schema VLLM_CONNECTOR =
      SchemaBuilder.safetensors("vllm-connector", SampleLayout.numbered("hs_", ".safetensors"))
          .orTorch()
          .layers("hidden_states", LayerEncoding.STACKED_ON_AXIS_1)
          .ids("token_ids")
          .numbered(LayerNumbering.INPUT_OF_LAYER)
          .build();

  /**
   * SpecForge {@code prepare_hidden_states.py --strategy eagle3}. Padding of the batch is saved;
   * data-parallel ranks leave gaps in the numbers.
   */
  public static final Schema SPECFORGE_EAGLE3 =
      SchemaBuilder.torch("specforge-eagle3", SampleLayout.checkpoints(ROWS))
          .layers("aux_hidden_state", LayerEncoding.CONCATENATED)
          .last("hidden_state")
          .ids("input_ids")
          .mask("loss_mask")
          .batched(Batching.ONE)
          .padded()
          .build();

  /** SpecForge {@code --strategy dflash} and {@code domino}: no last layer. */
  public static final Schema SPECFORGE_DFLASH =
      SchemaBuilder.torch("specforge-dflash", SampleLayout.checkpoints(ROWS))
          .layers("hidden_states", LayerEncoding.CONCATENATED)
          .ids("input_ids")
          .mask("loss_mask")
          .batched(Batching.ONE)
          .padded()
          .build();

  /** SpecForge {@code --strategy dspark}. */
  public static final Schema SPECFORGE_DSPARK =
      SchemaBuilder.torch("specforge-dspark", SampleLayout.checkpoints(ROWS))
          .layers("hidden_states", LayerEncoding.CONCATENATED)
          .last("target_last_hidden_states")
          .ids("input_ids")
          .mask("loss_mask")
          .batched(Batching.ONE)
          .padded()
          .build();

  /**
   * Model-Optimizer {@code compute_hidden_states_hf.py}, {@code CONVERSATION.pt}: the last layer is
   * after the final norm.
   */
  public static final Schema MODELOPT =
      modelOpt("modelopt-hf").mask("loss_mask").optional("hidden_states_prenorm").build();

  /**
   * Model-Optimizer {@code compute_hidden_states_vllm.py}: the same keys, but both tensors are
   * views of one storage, and the last layer is <em>before</em> the final norm.
   */
  public static final Schema MODELOPT_VLLM =
      modelOpt("modelopt-vllm").mask("loss_mask").optional("hidden_states_prenorm").build();

  /** Model-Optimizer {@code compute_hidden_states_trtllm.py}: no loss mask. */
  public static final Schema MODELOPT_TRTLLM = modelOpt("modelopt-trtllm").build();

  /**
   * Tencent AngelSlim {@code generate_hidden_for_draft_model.py}. Each rank numbers from 0; vision
   * models add {@code inputs_embeds} and {@code position_ids}.
   */
  public static final Schema ANGELSLIM =
      SchemaBuilder.torch("angelslim", SampleLayout.checkpoints("rank_R", ROWS))
          .layers("hidden_states", LayerEncoding.CONCATENATED)
          .last("target_hiddens")
          .ids("input_ids")
          .mask("loss_mask")
          .optional("inputs_embeds", "position_ids")
          .batched(Batching.ONE)
          .build();

  /** BaldEagle {@code generate_data_fused_features.py}: three layers joined on the first axis. */
  public static final Schema BALDEAGLE =
      SchemaBuilder.torch("baldeagle-fused", SampleLayout.checkpoints("N"))
          .layers("hidden_state", LayerEncoding.STACKED_ON_AXIS_0)
          .ids("input_ids")
          .mask("loss_mask")
          .numbered(LayerNumbering.HIDDEN_STATES_TUPLE)
          .build();

  /** SafeAILab {@code ge_data} of EAGLE-1 and EAGLE-2: the last layer alone. */
  public static final Schema SAFEAILAB =
      SchemaBuilder.torch("safeailab-ge-data", SampleLayout.checkpoints("N"))
          .layers("hidden_state", LayerEncoding.ONE_LAYER)
          .ids("input_ids")
          .mask("loss_mask")
          .numbered(LayerNumbering.HIDDEN_STATES_TUPLE)
          .build();

  /**
   * TorchSpec {@code torchspec.offline.generate}: {@code samples/SHA1.pt} and a manifest. Layers
   * are converted to bfloat16. The mask is a text, which may be longer or shorter than the sample:
   * what is missing is 0 ({@code resolve_loss_mask}).
   */
  public static final Schema TORCHSPEC =
      SchemaBuilder.torch("torchspec-offline", SampleLayout.named(".pt", "samples"))
          .layers("hidden_states", LayerEncoding.CONCATENATED)
          .last("last_hidden_states")
          .ids("input_ids")
          .packedMask("packed_loss_mask")
          .also("data_id", "metadata")
          .converted("bfloat16")
          .optional("last_hidden_states", "target")
          .build();

  /** NeMo Automodel {@code precompute_eagle3}: shards of samples of one length. */
  public static final Schema NEMO =
      SchemaBuilder.safetensors("nemo-eagle3", SampleLayout.named(".safetensors"))
          .layers("aux_hidden_states", LayerEncoding.CONCATENATED)
          .ids("input_ids")
          .mask("loss_mask")
          .also("attention_mask", "position_mask")
          .optional("target_probs", "target_probs_values", "target_probs_indices")
          .batched(Batching.MANY)
          .padded()
          .build();

  /**
   * All of them. No two have equal keys and lay their layers out in one way, but for ModelOpt's.
   */
  public static final List<Schema> KNOWN =
      List.of(
          SPECULATORS,
          VLLM_CONNECTOR,
          SPECFORGE_EAGLE3,
          SPECFORGE_DFLASH,
          SPECFORGE_DSPARK,
          MODELOPT,
          MODELOPT_VLLM,
          MODELOPT_TRTLLM,
          ANGELSLIM,
          BALDEAGLE,
          SAFEAILAB,
          TORCHSPEC,
          NEMO);

  /** The extensions of all of them, each once. */
  static final Set<String> KNOWN_EXTENSIONS =
      KNOWN.stream()
          .flatMap(schema -> schema.layout().extensions().stream())
          .collect(Collectors.toUnmodifiableSet());

  private Schemas() {}

  private static SchemaBuilder modelOpt(String name) {
    return SchemaBuilder.torch(name, SampleLayout.named(".pt"))
        .layers("aux_hidden_states", LayerEncoding.CONCATENATED)
        .last("hidden_states")
        .ids("input_ids")
        .also("conversation_id");
  }

  /** The schema of that name. */
  public static Optional<Schema> named(String name) {
    return KNOWN.stream().filter(schema -> schema.name().equals(name)).findFirst();
  }

  /** Whether some program that is known here writes it. */
  static boolean isKnown(String name) {
    return named(name).isPresent() || name.equals(ShardSetVerifier.SCHEMA);
  }

  /** The schema of the file: the one with its very keys, else one that differs in few of them. */
  static Optional<Schema> of(TensorFile file) {
    List<Schema> candidates =
        KNOWN.stream()
            .filter(schema -> schema.isIn(file.container()))
            .filter(schema -> schema.hasLayers(file))
            .filter(schema -> file.keys().contains(schema.tokensKey()))
            .filter(schema -> !schema.name().equals(MODELOPT_VLLM.name()))
            .toList();
    Comparator<Schema> best =
        Comparator.comparing((Schema schema) -> schema.fitsLayers(file))
            .thenComparing(schema -> schema.layout().fits(file.name()));
    Optional<Schema> exact =
        // Of several that are as good the first is meant, and max takes the last.
        reversed(candidates).filter(schema -> schema.hasKeysOf(file)).max(best);
    return exact
        .or(() -> withoutLayers(file))
        .or(() -> nearest(file, candidates))
        .map(schema -> byStorage(file, schema));
  }

  /**
   * One with its very keys, of which that of the layers holds None: only the last one was saved.
   */
  private static Optional<Schema> withoutLayers(TensorFile file) {
    return KNOWN.stream()
        .filter(schema -> schema.isIn(file.container()) && schema.hasKeysOf(file))
        .filter(schema -> file.under(schema.layersKey()).isEmpty())
        .filter(schema -> schema.lastKey().map(key -> file.under(key).size() == 1).orElse(false))
        .findFirst();
  }

  /** One that lacks one key at most; the fewer that are missing or too many, the better. */
  private static Optional<Schema> nearest(TensorFile file, List<Schema> candidates) {
    Comparator<Schema> nearest =
        Comparator.comparing(
            schema -> -schema.missingFrom(file).size() - schema.extraIn(file).size());
    return reversed(candidates)
        .filter(schema -> schema.fitsLayers(file) && schema.missingFrom(file).size() <= 1)
        .max(nearest);
  }

  private static Stream<Schema> reversed(List<Schema> schemas) {
    return Stream.iterate(schemas.size() - 1, index -> index >= 0, index -> index - 1)
        .map(schemas::get);
  }

  /** Both ways of ModelOpt have the same keys; the one by vLLM saves two views of one storage. */
  private static Schema byStorage(TensorFile file, Schema schema) {
    if (!schema.name().equals(MODELOPT.name())) {
      return schema;
    }
    Optional<String> layers = storageOf(file, MODELOPT.layersKey());
    return layers.isPresent() && layers.equals(storageOf(file, "hidden_states"))
        ? MODELOPT_VLLM
        : MODELOPT;
  }

  private static Optional<String> storageOf(TensorFile file, String key) {
    List<TensorEntry> tensors = file.under(key);
    @Nullable StorageExtent storage = tensors.size() == 1 ? tensors.get(0).storage() : null;
    return Optional.ofNullable(storage).map(StorageExtent::key);
  }
}
