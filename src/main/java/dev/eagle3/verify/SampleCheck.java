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
import java.util.stream.Collectors;

/** The checks of one file whose schema is known. */
final class SampleCheck {
  /** vLLM keeps cached prefixes in blocks of 16 tokens. */
  private static final int CACHE_BLOCK_TOKENS = 16;

  private final TensorFile file;
  private final Schema schema;
  private final Expectation expected;
  private final SampleLayers layers;
  private final SampleShape shape;
  private final List<Finding> findings = new ArrayList<>();

  SampleCheck(TensorFile file, Schema schema, Expectation expected) {
    this.file = file;
    this.schema = schema;
    this.expected = expected;
    this.layers = SampleLayers.of(file, schema, expected);
    this.shape =
        new SampleShape(
            schema.name(), TokenCheck.tokensOf(file, schema), layers.count(), layers.runs());
  }

  SampleShape shape() {
    return shape;
  }

  List<Finding> findings() {
    findings.addAll(new TokenCheck(file, schema, expected, shape).ids());
    checkLayerCount();
    if (checkRank()) {
      checkRowsAndWidth();
    }
    checkDtype();
    checkData();
    findings.addAll(new TokenCheck(file, schema, expected, shape).mask());
    return findings;
  }

  private void checkLayerCount() {
    if (shape.layers() == 0) {
      error("layers.count", "1 layer or more", "no layers");
      return;
    }
    if (layers.tensors().isEmpty()) {
      // Older versions of SpecForge save None when they were not asked for layers.
      String held =
          schema.layersKey() + " holds no tensor, there is " + schema.lastKey().orElse("");
      error("layers.count", wantedText(), held + " alone");
      return;
    }
    Optional<Sourced<Integer>> wanted = expected.layers();
    if (wanted.isEmpty() || (!layers.countable() && expected.hiddenSize().isPresent())) {
      return;
    }
    int count = wanted.get().value();
    // Who asks for layers may or may not count the last one, which a key of its own holds.
    if (count != layers.captured() && count != shape.layers()) {
      add(
          "layers.count",
          Severity.ERROR,
          wantedText(),
          shape.says(),
          List.of(count + " layers from " + wanted.get().source()));
    }
  }

  private boolean checkRank() {
    boolean list = !schema.encoding().isOneTensor();
    if (layers.ranksFit()) {
      return true;
    }
    if (list) {
      error("layers.rank", wantedText() + ", a matrix a layer", shape.says());
    } else {
      List<TensorEntry> wrong = layers.all();
      String names =
          schema.layersKey()
              + " "
              + schema.encoding().words()
              + schema.lastKey().map(last -> ", " + last + " [T, H]").orElse("");
      String actual =
          wrong.stream()
              .map(tensor -> tensor.key() + " " + ShapeRun.textOf(tensor.shape()))
              .collect(Collectors.joining(", "));
      error("layers.rank", names, actual);
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
    boolean isConverted = schema.dtype().filter(dtype::equals).isPresent();
    if (wanted.isPresent() && !wanted.get().value().equals(dtype) && !isConverted) {
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
        layers.all().stream()
            .filter(tensor -> tensor.storage() == null)
            .map(TensorEntry::path)
            .toList();
    if (!without.isEmpty()) {
      String more = without.size() > 1 ? " and " + (without.size() - 1) + " more" : "";
      error("layers.no-data", "values", without.get(0) + more + " without values (meta tensors)");
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
}
