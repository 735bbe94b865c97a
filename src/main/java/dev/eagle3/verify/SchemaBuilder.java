package dev.eagle3.verify;

import dev.eagle3.extractor.LayerNumbering;
import dev.eagle3.tensor.ContainerKind;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Puts a schema together, so that an entry of {@link Schemas} reads as one sentence. */
final class SchemaBuilder {
  private final String name;
  private final ContainerKind container;
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

  private SchemaBuilder(String name, ContainerKind container, SampleLayout layout) {
    this.name = name;
    this.container = container;
    this.layout = layout;
  }

  static SchemaBuilder torch(String name, SampleLayout layout) {
    return new SchemaBuilder(name, ContainerKind.TORCH_ZIP, layout);
  }

  static SchemaBuilder safetensors(String name, SampleLayout layout) {
    return new SchemaBuilder(name, ContainerKind.SAFETENSORS, layout);
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
        container,
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
