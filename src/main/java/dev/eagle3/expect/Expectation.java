package dev.eagle3.expect;

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
 */
public record Expectation(
    Optional<Sourced<Integer>> layers,
    Optional<Sourced<Long>> hiddenSize,
    Optional<Sourced<String>> dtype,
    Optional<Sourced<Long>> samples,
    Optional<Sourced<Integer>> batchSize,
    Optional<Sourced<Integer>> maxTokens,
    Map<Long, Long> sampleTokens) {

  /** Nothing is known: only what the files say of themselves is checked. */
  public static final Expectation NONE =
      new Expectation(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Map.of());

  /** Copies the map. */
  public Expectation {
    sampleTokens = Map.copyOf(sampleTokens);
  }

  /** The same with so many layers. */
  public Expectation withLayers(int count, String source) {
    return new Expectation(
        Optional.of(new Sourced<>(count, source)),
        hiddenSize,
        dtype,
        samples,
        batchSize,
        maxTokens,
        sampleTokens);
  }

  /** The same with this hidden size. */
  public Expectation withHiddenSize(long size, String source) {
    return new Expectation(
        layers,
        Optional.of(new Sourced<>(size, source)),
        dtype,
        samples,
        batchSize,
        maxTokens,
        sampleTokens);
  }

  /** The same with this dtype, in torch's words. */
  public Expectation withDtype(String name, String source) {
    return new Expectation(
        layers,
        hiddenSize,
        Optional.of(new Sourced<>(name, source)),
        samples,
        batchSize,
        maxTokens,
        sampleTokens);
  }

  /** The same with so many samples. */
  public Expectation withSamples(long count, String source) {
    return new Expectation(
        layers,
        hiddenSize,
        dtype,
        Optional.of(new Sourced<>(count, source)),
        batchSize,
        maxTokens,
        sampleTokens);
  }

  /**
   * The same without a number of samples: for the folder of a run that still lives, whose missing
   * files are to come.
   */
  public Expectation withoutSamples() {
    return new Expectation(
        layers, hiddenSize, dtype, Optional.empty(), batchSize, maxTokens, sampleTokens);
  }

  /** The same with this batch size. */
  public Expectation withBatchSize(int size, String source) {
    return new Expectation(
        layers,
        hiddenSize,
        dtype,
        samples,
        Optional.of(new Sourced<>(size, source)),
        maxTokens,
        sampleTokens);
  }

  /** The same with this limit of tokens a sample. */
  public Expectation withMaxTokens(int most, String source) {
    return new Expectation(
        layers,
        hiddenSize,
        dtype,
        samples,
        batchSize,
        Optional.of(new Sourced<>(most, source)),
        sampleTokens);
  }

  /** The same with the tokens of these samples. */
  public Expectation withSampleTokens(Map<Long, Long> tokensByNumber) {
    return new Expectation(
        layers, hiddenSize, dtype, samples, batchSize, maxTokens, tokensByNumber);
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
        sampleTokens.isEmpty() ? next.sampleTokens : sampleTokens);
  }
}
