package dev.eagle3.cause;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Printable;
import dev.eagle3.verify.Batching;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.LayerEncoding;
import dev.eagle3.verify.SampleShape;
import dev.eagle3.verify.Schema;
import dev.eagle3.verify.Schemas;
import dev.eagle3.verify.ShapeRun;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What in the shape of a file proves the {@link LayerCauses}. T tokens, H hidden size, L layers.
 */
final class LayerProofs {
  /** More than this many times the layers is something else than capturing again. */
  private static final int MOST_TIMES = 64;

  private static final int MOST_LETTERS = 80;

  private LayerProofs() {}

  static Optional<String> transposed(FileVerdict file, Expectation expected) {
    Optional<SampleShape> shape = withTokens(file);
    if (shape.isEmpty()) {
      return Optional.empty();
    }
    long tokens = shape.get().tokens().orElse(0);
    Optional<Long> width = expected.hiddenSize().map(Sourced::value);
    boolean all =
        shape.get().runs().stream()
            .allMatch(
                run ->
                    run.shape().size() == 2
                        && run.shape().get(1) == tokens
                        && run.shape().get(0) != tokens
                        && width.map(size -> size.equals(run.shape().get(0))).orElse(true));
    return all && !shape.get().runs().isEmpty()
        ? Optional.of(shape.get().says() + ", and the sample has " + tokens + " tokens")
        : Optional.empty();
  }

  static Optional<String> batchKept(FileVerdict file, Expectation expected) {
    return batched(file, 1, 1)
        .filter(shape -> batching(shape) == Batching.NONE)
        .map(shape -> shape.says() + ": " + tokens(shape) + " in a batch of 1");
  }

  static Optional<String> wholeBatch(FileVerdict file, Expectation expected) {
    return batched(file, 2, Integer.MAX_VALUE)
        .filter(shape -> batching(shape) != Batching.MANY)
        .filter(shape -> oneTensor(shape, expected).isEmpty())
        .map(
            shape ->
                shape.says()
                    + ": "
                    + shape.runs().get(0).shape().get(0)
                    + " samples of up to "
                    + shape.runs().get(0).shape().get(1)
                    + " tokens, and this one has "
                    + tokens(shape)
                    + expected
                        .batchSize()
                        .map(size -> "; batch size " + size.value() + " of " + size.source())
                        .orElse(""));
  }

  /** The shape when every layer has a batch of {@code least} to {@code most} in front. */
  private static Optional<SampleShape> batched(FileVerdict file, int least, int most) {
    return withTokens(file)
        .filter(
            shape ->
                !shape.runs().isEmpty()
                    && shape.runs().stream().allMatch(run -> isBatch(shape, run, least, most)));
  }

  private static boolean isBatch(SampleShape shape, ShapeRun run, int least, int most) {
    long tokens = shape.tokens().orElse(0);
    int rank = Schemas.named(shape.schema()).map(schema -> schema.encoding().rank()).orElse(0);
    if (run.shape().size() != rank + 1) {
      return false;
    }
    long batch = run.shape().get(0);
    boolean rows = batch == 1 ? run.shape().get(1) == tokens : run.shape().get(1) >= tokens;
    return rank == 2 && batch >= least && batch <= most && rows;
  }

  static Optional<String> inOneTensor(FileVerdict file, Expectation expected) {
    return withTokens(file).flatMap(shape -> oneTensor(shape, expected));
  }

  private static Optional<String> oneTensor(SampleShape shape, Expectation expected) {
    boolean list = encoding(shape) == LayerEncoding.LIST_OF_LAYERS;
    Optional<List<Long>> sizes = shape.layerShape();
    if (!list || shape.layers() != 1 || sizes.isEmpty()) {
      return Optional.empty();
    }
    long tokens = shape.tokens().orElse(0);
    Optional<Long> width = expected.hiddenSize().map(Sourced::value);
    Optional<Integer> wanted = expected.layers().map(Sourced::value);
    List<Long> size = sizes.get();
    Optional<String> lies = Optional.empty();
    if (size.size() == 3 && width.map(size.get(2)::equals).orElse(true)) {
      if (isLayers(size.get(0), wanted) && size.get(1) == tokens) {
        lies = Optional.of("[L, T, H]");
      } else if (size.get(0) == tokens && isLayers(size.get(1), wanted)) {
        lies = Optional.of("[T, L, H]");
      }
    } else if (size.size() == 2 && size.get(0) == tokens && width.isPresent()) {
      boolean whole = size.get(1) % width.get() == 0;
      lies =
          whole && isLayers(size.get(1) / width.get(), wanted)
              ? Optional.of("[T, L*H]")
              : Optional.empty();
    }
    return lies.map(words -> shape.says() + " is " + words + ", T = " + tokens);
  }

  private static boolean isLayers(long count, Optional<Integer> wanted) {
    return wanted.map(layers -> layers == count).orElse(count > 1 && count <= MOST_TIMES)
        && count > 1;
  }

  static Optional<String> doubled(FileVerdict file, Expectation expected) {
    Optional<SampleShape> shape = withTokens(file).filter(LayerProofs::areMatrices);
    // Without the ids of a run, other layers may have been meant.
    if (shape.isEmpty() || expected.layers().isEmpty() || expected.layerIds().isEmpty()) {
      return Optional.empty();
    }
    int wanted = expected.layers().get().value();
    int times = shape.get().layers() / wanted;
    boolean again =
        shape.get().layers() % wanted == 0
            && times >= 2
            && times <= MOST_TIMES
            && encoding(shape.get()) != LayerEncoding.CONCATENATED;
    return again
        ? Optional.of(
            shape.get().says()
                + ", and "
                + shape.get().layers()
                + " = "
                + times
                + " × "
                + wanted
                + ", the layers of "
                + expected.layers().get().source())
        : Optional.empty();
  }

  static Optional<String> notCaptured(FileVerdict file, Expectation expected) {
    Optional<SampleShape> shape = withTokens(file).filter(LayerProofs::areMatrices);
    if (shape.isEmpty() || expected.layerIds().isEmpty() || expected.modelLayers().isEmpty()) {
      return Optional.empty();
    }
    int count = expected.modelLayers().get().value();
    List<Integer> ids = expected.layerIds().get().value().stream().distinct().toList();
    List<Integer> beyond = ids.stream().filter(id -> id >= count).toList();
    boolean explains = !beyond.isEmpty() && shape.get().layers() == ids.size() - beyond.size();
    return explains
        ? Optional.of(
            shape.get().says()
                + ": "
                + ids.size()
                + " layers were asked for, and of "
                + beyond
                + " there is none; the model has layers 0 to "
                + (count - 1)
                + " ("
                + expected.modelLayers().get().source()
                + ")")
        : Optional.empty();
  }

  static Optional<String> otherTensor(FileVerdict file, Expectation expected) {
    Optional<SampleShape> shape = withTokens(file).filter(LayerProofs::areMatrices);
    long width = shape.map(found -> found.hiddenSize().orElse(0)).orElse(0L);
    @Nullable String name = expected.otherSizes().get(width);
    if (shape.isEmpty() || name == null || expected.hiddenSize().isEmpty()) {
      return Optional.empty();
    }
    Sourced<Long> wanted = expected.hiddenSize().get();
    return wanted.value() == width
        ? Optional.empty()
        : Optional.of(
            shape.get().says()
                + ": "
                + width
                + " is "
                + Printable.line(name, MOST_LETTERS)
                + ", the hidden size is "
                + wanted.value()
                + " ("
                + wanted.source()
                + ")");
  }

  static Optional<String> wholeStorage(FileVerdict file, Expectation expected) {
    return file.findings().stream()
        .filter(finding -> finding.code().equals("file.storage-share"))
        .findFirst()
        .map(Finding::evidence)
        .filter(evidence -> !evidence.isEmpty())
        .map(evidence -> evidence.get(0));
  }

  /** The shape of a sample with tokens. */
  private static Optional<SampleShape> withTokens(FileVerdict file) {
    return file.shape().filter(shape -> shape.tokens().orElse(0) > 0);
  }

  private static boolean areMatrices(SampleShape shape) {
    long tokens = shape.tokens().orElse(0);
    return shape.layerShape().filter(size -> size.size() == 2 && size.get(0) == tokens).isPresent();
  }

  private static Optional<Schema> schema(SampleShape shape) {
    return Schemas.named(shape.schema());
  }

  private static Batching batching(SampleShape shape) {
    return schema(shape).map(Schema::batching).orElse(Batching.MANY);
  }

  private static LayerEncoding encoding(SampleShape shape) {
    return schema(shape).map(Schema::encoding).orElse(LayerEncoding.ONE_LAYER);
  }

  private static String tokens(SampleShape shape) {
    long tokens = shape.tokens().orElse(0);
    return tokens + (tokens == 1 ? " token" : " tokens");
  }
}
