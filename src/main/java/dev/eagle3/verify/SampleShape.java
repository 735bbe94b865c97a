package dev.eagle3.verify;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The shape of one sample, as its file's header says it.
 *
 * @param schema name of the file's schema
 * @param tokens T, the length of the file's own token ids; empty when they are missing or no list
 * @param layers L, how many layers (or what stands in their place) there are
 * @param runs the layers in order, equal neighbours put together; of a file with very many
 *     different ones the first {@link #MOST_RUNS}
 */
public record SampleShape(String schema, OptionalLong tokens, int layers, List<ShapeRun> runs) {
  /** More different shapes than this in one file are not kept. */
  public static final int MOST_RUNS = 64;

  private static final int MOST_RUNS_SHOWN = 3;

  /** Copies the list, and cuts it. */
  public SampleShape {
    runs = List.copyOf(runs.subList(0, Math.min(runs.size(), MOST_RUNS)));
  }

  /** The one shape that all layers have; empty when they differ, or there are none. */
  public Optional<List<Long>> layerShape() {
    return runs.size() == 1 ? Optional.of(runs.get(0).shape()) : Optional.empty();
  }

  /** H, when all layers are {@code [rows, H]}. */
  public OptionalLong hiddenSize() {
    return layerShape()
        .filter(shape -> shape.size() == 2)
        .map(shape -> OptionalLong.of(shape.get(1)))
        .orElse(OptionalLong.empty());
  }

  /** The dtype of all layers; empty when they differ, or there are none. */
  public Optional<String> dtype() {
    List<String> dtypes = runs.stream().map(ShapeRun::dtype).distinct().toList();
    return dtypes.size() == 1 ? Optional.of(dtypes.get(0)) : Optional.empty();
  }

  /** In short: {@code 4 × [512, 7168] bfloat16}. */
  public String says() {
    if (runs.isEmpty()) {
      return "no layers";
    }
    Optional<String> oneDtype = dtype();
    String shapes =
        runs.stream()
            .limit(MOST_RUNS_SHOWN)
            .map(run -> textOf(run, oneDtype.isEmpty()))
            .collect(Collectors.joining(" + "));
    String more = runs.size() > MOST_RUNS_SHOWN ? " + …" : "";
    return shapes + more + oneDtype.map(dtype -> " " + dtype).orElse("");
  }

  /**
   * As {@link #says}, with {@code T} for the number of tokens where all layers are {@code [T, H]}:
   * {@code 4 × [T, 7168] bfloat16}. What samples of one set have in common.
   */
  public String saysForAnyTokens() {
    Optional<List<Long>> shape = layerShape();
    if (shape.isEmpty()
        || shape.get().size() != 2
        || tokens.isEmpty()
        || shape.get().get(0) != tokens.getAsLong()) {
      return says();
    }
    return layers + " × [T, " + shape.get().get(1) + "] " + runs.get(0).dtype();
  }

  // As they would be made, but compiled: see ShapeRun.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SampleShape shape
        && schema.equals(shape.schema)
        && tokens.equals(shape.tokens)
        && layers == shape.layers
        && runs.equals(shape.runs);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * schema.hashCode() + tokens.hashCode()) + layers) + runs.hashCode();
  }

  private static String textOf(ShapeRun run, boolean withDtype) {
    return run.count() + " × " + run.shapeText() + (withDtype ? " " + run.dtype() : "");
  }
}
