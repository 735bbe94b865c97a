package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The checks of one file whose schema is known. */
final class SampleCheck {
  private static final Set<String> INTEGERS =
      Set.of("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64");

  /** vLLM keeps cached prefixes in blocks of 16 tokens. */
  private static final int CACHE_BLOCK_TOKENS = 16;

  private final TensorFile file;
  private final Schema schema;
  private final Expectation expected;
  private final List<TensorEntry> layerTensors;
  private final SampleShape shape;
  private final List<Finding> findings = new ArrayList<>();

  SampleCheck(TensorFile file, Schema schema, Expectation expected) {
    this.file = file;
    this.schema = schema;
    this.expected = expected;
    this.layerTensors = file.under(schema.layersKey());
    List<ShapeRun> runs = schema.encoding().layers(layerTensors);
    int layers = (int) Math.min(Integer.MAX_VALUE, runs.stream().mapToLong(ShapeRun::count).sum());
    this.shape = new SampleShape(schema.name(), tokensOf(file, schema), layers, runs);
  }

  SampleShape shape() {
    return shape;
  }

  List<Finding> findings() {
    checkTokens();
    checkLayerCount();
    if (checkRank()) {
      checkRowsAndWidth();
    }
    checkDtype();
    checkData();
    checkMask();
    return findings;
  }

  private void checkTokens() {
    List<TensorEntry> ids = file.under(schema.tokensKey());
    if (shape.tokens().isEmpty()) {
      if (file.keys().contains(schema.tokensKey())) {
        error("tokens.rank", schema.tokensKey() + " [T]", schema.tokensKey() + textOf(ids));
      }
      return;
    }
    long tokens = shape.tokens().getAsLong();
    if (tokens == 0) {
      error("tokens.count", "1 token or more", schema.tokensKey() + " is empty");
    }
    if (!INTEGERS.contains(ids.get(0).dtype())) {
      error("tokens.dtype", schema.tokensKey() + " int64", ids.get(0).dtype());
    }
    if (expected.maxTokens().isPresent() && tokens > expected.maxTokens().get().value()) {
      Sourced<Integer> most = expected.maxTokens().get();
      add(
          "tokens.over-limit",
          Severity.WARNING,
          most.value() + " tokens at the most",
          tokens + " tokens",
          List.of("limit from " + most.source()));
    }
  }

  private void checkLayerCount() {
    Optional<Sourced<Integer>> wanted = expected.layers();
    if (wanted.isPresent() && wanted.get().value() != shape.layers()) {
      add(
          "layers.count",
          Severity.ERROR,
          wantedText(),
          shape.says(),
          List.of(wanted.get().value() + " layers from " + wanted.get().source()));
    } else if (shape.layers() == 0) {
      error("layers.count", "1 layer or more", "no layers");
    }
  }

  private boolean checkRank() {
    int rank = schema.encoding().rank();
    if (layerTensors.stream().allMatch(tensor -> tensor.shape().size() == rank)) {
      return true;
    }
    if (schema.encoding() == LayerEncoding.STACKED_ON_AXIS_1) {
      String actual = schema.layersKey() + textOf(layerTensors);
      error("layers.rank", schema.layersKey() + " [T, L, H]", actual);
    } else {
      error("layers.rank", wantedText() + ", a matrix a layer", shape.says());
    }
    return false;
  }

  private void checkRowsAndWidth() {
    OptionalLong tokens = shape.tokens();
    boolean rowsWrong =
        tokens.isPresent()
            && shape.runs().stream().anyMatch(run -> run.shape().get(0) != tokens.getAsLong());
    if (rowsWrong) {
      String own = schema.tokensKey() + " has " + tokens.getAsLong() + " tokens";
      List<String> evidence = new ArrayList<>(List.of(own));
      rowsHint(tokens.getAsLong()).ifPresent(evidence::add);
      add("tokens.count", Severity.ERROR, wantedText(), shape.says(), evidence);
    }
    Optional<Sourced<Long>> wanted = expected.hiddenSize();
    boolean widthWrong =
        wanted.isPresent()
            ? shape.runs().stream()
                .anyMatch(run -> !run.shape().get(1).equals(wanted.get().value()))
            : shape.runs().stream().anyMatch(run -> run.shape().get(1) == 0);
    if (widthWrong) {
      List<String> evidence =
          wanted.map(size -> List.of("hidden size from " + size.source())).orElse(List.of());
      add("layers.hidden-size", Severity.ERROR, wantedText(), shape.says(), evidence);
    }
    long shapes = shape.runs().stream().map(ShapeRun::shape).distinct().count();
    if (shapes > 1 && !rowsWrong && !widthWrong) {
      error("layers.differ", "layers of one shape", shape.says());
    }
  }

  private Optional<String> rowsHint(long tokens) {
    Optional<List<Long>> layer = shape.layerShape();
    if (layer.isEmpty()) {
      return Optional.empty();
    }
    long rows = layer.get().get(0);
    if (layer.get().get(1) == tokens) {
      return Optional.of("the layers are transposed: [H, T]");
    }
    if (schema.encoding() == LayerEncoding.STACKED_ON_AXIS_1) {
      if (shape.layers() == tokens) {
        return Optional.of("the layers come first: [L, T, H] instead of [T, L, H]");
      }
      if (rows > 0 && rows < tokens && (tokens - rows) % CACHE_BLOCK_TOKENS == 0) {
        return Optional.of(
            "whole blocks of 16 tokens are missing, as when prefix caching is on while vLLM"
                + " extracts");
      }
    }
    return Optional.empty();
  }

  private void checkDtype() {
    List<String> dtypes = shape.runs().stream().map(ShapeRun::dtype).distinct().toList();
    if (dtypes.size() > 1) {
      error("dtype.mixed", "layers of one dtype", String.join(" and ", dtypes));
      return;
    }
    if (dtypes.isEmpty()) {
      return;
    }
    String dtype = dtypes.get(0);
    Optional<Sourced<String>> wanted = expected.dtype();
    if (wanted.isPresent() && !wanted.get().value().equals(dtype)) {
      add(
          "dtype.wrong",
          Severity.ERROR,
          wanted.get().value(),
          dtype,
          List.of("dtype from " + wanted.get().source()));
    } else if (wanted.isEmpty() && !dtype.contains("float")) {
      error("dtype.wrong", "a floating dtype", dtype);
    }
  }

  private void checkData() {
    List<String> without =
        layerTensors.stream()
            .filter(tensor -> tensor.storage() == null)
            .map(TensorEntry::path)
            .toList();
    if (!without.isEmpty()) {
      String more = without.size() > 1 ? " and " + (without.size() - 1) + " more" : "";
      error("layers.no-data", "values", without.get(0) + more + " without values (meta tensors)");
    }
  }

  private void checkMask() {
    if (schema.maskKey().isEmpty() || !file.keys().contains(schema.maskKey().get())) {
      return;
    }
    String key = schema.maskKey().get();
    List<TensorEntry> masks = file.under(key);
    OptionalLong length = masks.size() == 1 ? lengthOf(masks.get(0)) : OptionalLong.empty();
    boolean wrong =
        length.isEmpty()
            || (shape.tokens().isPresent() && length.getAsLong() != shape.tokens().getAsLong());
    if (wrong) {
      error("mask.length", key + " [" + tokensText() + "]", key + textOf(masks));
    }
  }

  /** What is wanted, as far as it is known: {@code 4 × [512, 7168]}, {@code L × [512, H]}. */
  private String wantedText() {
    String layers = expected.layers().map(count -> String.valueOf(count.value())).orElse("L");
    String width = expected.hiddenSize().map(size -> String.valueOf(size.value())).orElse("H");
    return layers + " × [" + tokensText() + ", " + width + "]";
  }

  private String tokensText() {
    return shape.tokens().isPresent() ? String.valueOf(shape.tokens().getAsLong()) : "T";
  }

  private void error(String code, String wanted, String actual) {
    add(code, Severity.ERROR, wanted, actual, List.of());
  }

  private void add(
      String code, Severity severity, String wanted, String actual, List<String> evidence) {
    findings.add(new Finding(code, severity, file.name(), wanted, actual, evidence));
  }

  private static OptionalLong tokensOf(TensorFile file, Schema schema) {
    List<TensorEntry> ids = file.under(schema.tokensKey());
    return ids.size() == 1 ? lengthOf(ids.get(0)) : OptionalLong.empty();
  }

  /** T of {@code [T]} or {@code [1, T]}. */
  private static OptionalLong lengthOf(TensorEntry tensor) {
    List<Long> sizes = tensor.shape();
    if (sizes.size() == 1 || (sizes.size() == 2 && sizes.get(0) == 1)) {
      return OptionalLong.of(sizes.get(sizes.size() - 1));
    }
    return OptionalLong.empty();
  }

  private static String textOf(List<TensorEntry> tensors) {
    return tensors.size() == 1
        ? " " + ShapeRun.textOf(tensors.get(0).shape())
        : " with " + tensors.size() + " tensors";
  }
}
