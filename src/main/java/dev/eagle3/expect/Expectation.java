package dev.eagle3.expect;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the files of one extraction should hold; what is empty is not known and not checked against.
 * Values of several places are laid over one another by {@link #orElse}: the first place wins,
 * value by value.
 *
 * @param layers L, how many layers a sample holds
 * @param hiddenSize H, the model's hidden size
 * @param dtype of the layers, in torch's words: {@code bfloat16}
 * @param samples how many samples the finished set holds
 * @param batchSize samples a batch
 * @param maxTokens most tokens a sample; samples of one token less are as good
 * @param sampleTokens tokens by number of the sample, as the extractor itself noted them; may know
 *     some of the samples only
 * @param fileTokens tokens by path of the file below its folder, as the extractor itself noted them
 * @param schema name of the schema of the files, as somebody named it
 * @param plannedSchema name of the schema that the extractor of the run is known to write
 * @param vocabulary how many token ids the model has: 0 to this less one
 * @param modelLayers how many decoder layers the model has
 * @param layerIds the layers that were asked for, as they were numbered there
 * @param otherSizes sizes of other tensors of the model, with their names in its config
 */
public record Expectation(
    Optional<Sourced<Integer>> layers,
    Optional<Sourced<Long>> hiddenSize,
    Optional<Sourced<String>> dtype,
    Optional<Sourced<Long>> samples,
    Optional<Sourced<Integer>> batchSize,
    Optional<Sourced<Integer>> maxTokens,
    Map<Long, Long> sampleTokens,
    Map<String, Long> fileTokens,
    Optional<Sourced<String>> schema,
    Optional<Sourced<String>> plannedSchema,
    Optional<Sourced<Long>> vocabulary,
    Optional<Sourced<Integer>> modelLayers,
    Optional<Sourced<List<Integer>>> layerIds,
    Map<Long, String> otherSizes) {

  /** Nothing is known: only what the files say of themselves is checked. */
  public static final Expectation NONE = new Draft().done();

  /** Copies the maps. */
  public Expectation {
    sampleTokens = Map.copyOf(sampleTokens);
    fileTokens = Map.copyOf(fileTokens);
    otherSizes = Map.copyOf(otherSizes);
  }

  /** The same with so many layers. */
  public Expectation withLayers(int count, String source) {
    Draft draft = new Draft(this);
    draft.layers = Optional.of(new Sourced<>(count, source));
    return draft.done();
  }

  /** The same with this hidden size. */
  public Expectation withHiddenSize(long size, String source) {
    Draft draft = new Draft(this);
    draft.hiddenSize = Optional.of(new Sourced<>(size, source));
    return draft.done();
  }

  /** The same with this dtype, in torch's words. */
  public Expectation withDtype(String name, String source) {
    Draft draft = new Draft(this);
    draft.dtype = Optional.of(new Sourced<>(name, source));
    return draft.done();
  }

  /** What it says of the dtype, and nothing else. */
  Expectation onlyDtype() {
    Draft draft = new Draft();
    draft.dtype = dtype;
    return draft.done();
  }

  /** The same with so many samples. */
  public Expectation withSamples(long count, String source) {
    Draft draft = new Draft(this);
    draft.samples = Optional.of(new Sourced<>(count, source));
    return draft.done();
  }

  /**
   * The same without a number of samples: for the folder of a run that still lives, whose missing
   * files are to come.
   */
  public Expectation withoutSamples() {
    Draft draft = new Draft(this);
    draft.samples = Optional.empty();
    return draft.done();
  }

  /** The same with this batch size. */
  public Expectation withBatchSize(int size, String source) {
    Draft draft = new Draft(this);
    draft.batchSize = Optional.of(new Sourced<>(size, source));
    return draft.done();
  }

  /** The same with this limit of tokens a sample. */
  public Expectation withMaxTokens(int most, String source) {
    Draft draft = new Draft(this);
    draft.maxTokens = Optional.of(new Sourced<>(most, source));
    return draft.done();
  }

  /** The same with this schema for all files. */
  public Expectation withSchema(String name, String source) {
    Draft draft = new Draft(this);
    draft.schema = Optional.of(new Sourced<>(name, source));
    return draft.done();
  }

  /** The same with the schema that the extractor writes. */
  public Expectation withPlannedSchema(String name, String source) {
    Draft draft = new Draft(this);
    draft.plannedSchema = Optional.of(new Sourced<>(name, source));
    return draft.done();
  }

  /** The same with a vocabulary of so many ids. */
  public Expectation withVocabulary(long size, String source) {
    Draft draft = new Draft(this);
    draft.vocabulary = Optional.of(new Sourced<>(size, source));
    return draft.done();
  }

  /** The same with a model of so many layers. */
  public Expectation withModelLayers(int count, String source) {
    Draft draft = new Draft(this);
    draft.modelLayers = Optional.of(new Sourced<>(count, source));
    return draft.done();
  }

  /** The same with these ids of layers. */
  public Expectation withLayerIds(List<Integer> ids, String source) {
    Draft draft = new Draft(this);
    draft.layerIds = Optional.of(new Sourced<>(List.copyOf(ids), source));
    return draft.done();
  }

  /** The same with the tokens of these samples. */
  public Expectation withSampleTokens(Map<Long, Long> tokensByNumber) {
    Draft draft = new Draft(this);
    draft.sampleTokens = tokensByNumber;
    return draft.done();
  }

  /** The same with the tokens of these files. */
  public Expectation withFileTokens(Map<String, Long> tokensByPath) {
    Draft draft = new Draft(this);
    draft.fileTokens = tokensByPath;
    return draft.done();
  }

  /** The same with these sizes of other tensors. */
  public Expectation withOtherSizes(Map<Long, String> namesBySize) {
    Draft draft = new Draft(this);
    draft.otherSizes = namesBySize;
    return draft.done();
  }

  /** This, and where this knows nothing, {@code next}. */
  public Expectation orElse(Expectation next) {
    return new Expectation(
        layers.or(() -> next.layers),
        hiddenSize.or(() -> next.hiddenSize),
        dtype.or(() -> next.dtype),
        samples.or(() -> next.samples),
        batchSize.or(() -> next.batchSize),
        maxTokens.or(() -> next.maxTokens),
        sampleTokens.isEmpty() ? next.sampleTokens : sampleTokens,
        fileTokens.isEmpty() ? next.fileTokens : fileTokens,
        schema.or(() -> next.schema),
        plannedSchema.or(() -> next.plannedSchema),
        vocabulary.or(() -> next.vocabulary),
        modelLayers.or(() -> next.modelLayers),
        layerIds.or(() -> next.layerIds),
        otherSizes.isEmpty() ? next.otherSizes : otherSizes);
  }

  /** The values while one of them changes. */
  private static final class Draft {
    private Optional<Sourced<Integer>> layers = Optional.empty();
    private Optional<Sourced<Long>> hiddenSize = Optional.empty();
    private Optional<Sourced<String>> dtype = Optional.empty();
    private Optional<Sourced<Long>> samples = Optional.empty();
    private Optional<Sourced<Integer>> batchSize = Optional.empty();
    private Optional<Sourced<Integer>> maxTokens = Optional.empty();
    private Map<Long, Long> sampleTokens = Map.of();
    private Map<String, Long> fileTokens = Map.of();
    private Optional<Sourced<String>> schema = Optional.empty();
    private Optional<Sourced<String>> plannedSchema = Optional.empty();
    private Optional<Sourced<Long>> vocabulary = Optional.empty();
    private Optional<Sourced<Integer>> modelLayers = Optional.empty();
    private Optional<Sourced<List<Integer>>> layerIds = Optional.empty();
    private Map<Long, String> otherSizes = Map.of();

    Draft() {}

    Draft(Expectation from) {
      layers = from.layers;
      hiddenSize = from.hiddenSize;
      dtype = from.dtype;
      samples = from.samples;
      batchSize = from.batchSize;
      maxTokens = from.maxTokens;
      sampleTokens = from.sampleTokens;
      fileTokens = from.fileTokens;
      schema = from.schema;
      plannedSchema = from.plannedSchema;
      vocabulary = from.vocabulary;
      modelLayers = from.modelLayers;
      layerIds = from.layerIds;
      otherSizes = from.otherSizes;
    }

    Expectation done() {
      return new Expectation(
          layers,
          hiddenSize,
          dtype,
          samples,
          batchSize,
          maxTokens,
          sampleTokens,
          fileTokens,
          schema,
          plannedSchema,
          vocabulary,
          modelLayers,
          layerIds,
          otherSizes);
    }
  }
}
