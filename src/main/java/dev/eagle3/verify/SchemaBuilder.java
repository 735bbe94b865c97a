package dev.eagle3.verify;

import dev.eagle3.extractor.LayerNumbering;
import dev.eagle3.tensor.ContainerKind;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Puts a schema together, so that an entry of {@link Schemas} reads as one sentence. */
final class SchemaBuilder {
  private final String name;

  /** What {@code torch.save} writes, with what SpecForge makes of it. */
  private static final Set<ContainerKind> TORCH =
      EnumSet.of(
          ContainerKind.TORCH_ZIP, ContainerKind.TORCH_ZIP_IN_GZIP, ContainerKind.TORCH_LEGACY);

  private final Set<ContainerKind> containers;
  private final SampleLayout layout;
  private final Set<String> keys = new HashSet<>();
  private Set<String> optionalKeys = Set.of();
  private String layersKey = "";
  private LayerEncoding encoding = LayerEncoding.CONCATENATED;
  private Optional<String> lastKey = Optional.empty();
  private Batching batching = Batching.NONE;
  private String tokensKey = "";
  private Optional<String> maskKey = Optional.empty();
  private Optional<String> packedMaskKey = Optional.empty();
  private Optional<String> dtype = Optional.empty();
  private LayerNumbering numbering = LayerNumbering.OUTPUT_OF_LAYER;
  private boolean padded;

  private SchemaBuilder(String name, Set<ContainerKind> containers, SampleLayout layout) {
    this.name = name;
    this.containers = EnumSet.copyOf(containers);
    this.layout = layout;
  }

  static SchemaBuilder torch(String name, SampleLayout layout) {
    return new SchemaBuilder(name, TORCH, layout);
  }

  static SchemaBuilder safetensors(String name, SampleLayout layout) {
    return new SchemaBuilder(name, EnumSet.of(ContainerKind.SAFETENSORS), layout);
  }

  /** Some version of its program calls {@code torch.save}, under the same names. */
  SchemaBuilder orTorch() {
    containers.addAll(TORCH);
    return this;
  }

  SchemaBuilder layers(String key, LayerEncoding lie) {
    layersKey = key;
    encoding = lie;
    keys.add(key);
    return this;
  }

  SchemaBuilder last(String key) {
    lastKey = Optional.of(key);
    keys.add(key);
    return this;
  }

  SchemaBuilder ids(String key) {
    tokensKey = key;
    keys.add(key);
    return this;
  }

  SchemaBuilder mask(String key) {
    maskKey = Optional.of(key);
    keys.add(key);
    return this;
  }

  SchemaBuilder packedMask(String key) {
    packedMaskKey = Optional.of(key);
    keys.add(key);
    return this;
  }

  SchemaBuilder converted(String name) {
    dtype = Optional.of(name);
    return this;
  }

  SchemaBuilder also(String... others) {
    keys.addAll(List.of(others));
    return this;
  }

  /** Keys that may be there; those that are required so far become optional. */
  SchemaBuilder optional(String... others) {
    optionalKeys = Set.of(others);
    keys.removeAll(optionalKeys);
    return this;
  }

  SchemaBuilder batched(Batching kind) {
    batching = kind;
    return this;
  }

  SchemaBuilder numbered(LayerNumbering kind) {
    numbering = kind;
    return this;
  }

  SchemaBuilder padded() {
    padded = true;
    return this;
  }

  Schema build() {
    return new Schema(
        name,
        containers,
        layout,
        keys,
        optionalKeys,
        layersKey,
        encoding,
        lastKey,
        batching,
        tokensKey,
        maskKey,
        packedMaskKey,
        dtype,
        numbering,
        padded);
  }
}
