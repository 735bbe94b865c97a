package dev.eagle3.verify;

import com.google.re2j.Pattern;
import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Checks the token ids and the loss mask of one file by their headers. */
final class TokenCheck {
  private static final Set<String> INTEGERS =
      Set.of("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64");

  private static final Pattern RUN = Pattern.compile("[0-9]{1,9}");

  private final TensorFile file;
  private final Schema schema;
  private final Expectation expected;
  private final SampleShape shape;

  TokenCheck(TensorFile file, Schema schema, Expectation expected, SampleShape shape) {
    this.file = file;
    this.schema = schema;
    this.expected = expected;
    this.shape = shape;
  }

  List<Finding> ids() {
    String key = schema.tokensKey();
    List<TensorEntry> ids = file.under(key);
    if (shape.tokens().isEmpty()) {
      return file.keys().contains(key)
          ? List.of(error("tokens.rank", key + " [T]", key + textOf(ids)))
          : List.of();
    }
    List<Finding> findings = new ArrayList<>();
    long tokens = shape.tokens().getAsLong();
    if (tokens == 0) {
      findings.add(error("tokens.count", "1 token or more", key + " is empty"));
    }
    if (!INTEGERS.contains(ids.get(0).dtype())) {
      findings.add(error("tokens.dtype", key + " int64", ids.get(0).dtype()));
    }
    addUneven(ids.get(0), findings);
    if (expected.maxTokens().isPresent() && tokens > expected.maxTokens().get().value()) {
      Sourced<Integer> most = expected.maxTokens().get();
      findings.add(
          new Finding(
              "tokens.over-limit",
              Severity.WARNING,
              file.name(),
              most.value() + " tokens at the most",
              tokens + " tokens",
              List.of("limit from " + most.source())));
    }
    return findings;
  }

  /** Of a file with several samples: whether its layers are those of as many. */
  private void addUneven(TensorEntry ids, List<Finding> findings) {
    List<TensorEntry> layers = file.under(schema.layersKey());
    if (schema.batching() != Batching.MANY || ids.shape().size() != 2 || layers.isEmpty()) {
      return;
    }
    List<Long> shape = layers.get(0).shape();
    if (shape.size() == 3 && !shape.get(0).equals(ids.shape().get(0))) {
      findings.add(
          error(
              "samples.uneven",
              "layers of " + ids.shape().get(0) + " samples",
              "of " + shape.get(0)));
    }
  }

  List<Finding> mask() {
    if (schema.packedMaskKey().isPresent()) {
      return packedMask(schema.packedMaskKey().get());
    }
    if (schema.maskKey().isEmpty() || !file.keys().contains(schema.maskKey().get())) {
      return List.of();
    }
    String key = schema.maskKey().get();
    List<TensorEntry> masks = file.under(key);
    OptionalLong length =
        masks.size() == 1 ? lengthOf(masks.get(0), schema.batching()) : OptionalLong.empty();
    boolean wrong =
        length.isEmpty()
            || (shape.tokens().isPresent() && length.getAsLong() != shape.tokens().getAsLong());
    String tokens = shape.tokens().isPresent() ? "" + shape.tokens().getAsLong() : "T";
    return wrong
        ? List.of(error("mask.length", key + " [" + tokens + "]", key + textOf(masks)))
        : List.of();
  }

  /** A mask of runs; its length says nothing, as whoever reads it cuts or fills it. */
  private List<Finding> packedMask(String key) {
    String[] runs = file.texts().getOrDefault(key, "").split(",", -1);
    long tokens = shape.tokens().orElse(0);
    long at = 0;
    for (int index = 0; index < runs.length; index++) {
      if (!RUN.matcher(runs[index]).matches()) {
        return List.of();
      }
      long length = Long.parseLong(runs[index]);
      if (index % 2 == 1 && length > 0 && at < tokens) {
        return List.of();
      }
      at += length;
    }
    return List.of(
        Finding.of(
            "mask.all-zero",
            Severity.WARNING,
            file.name(),
            "tokens to learn from",
            key + " is 0 for every token"));
  }

  static OptionalLong tokensOf(TensorFile file, Schema schema) {
    List<TensorEntry> ids = file.under(schema.tokensKey());
    return ids.size() == 1 ? lengthOf(ids.get(0), schema.batching()) : OptionalLong.empty();
  }

  /** T of {@code [T]} or {@code [1, T]}, or of {@code [n, T]} where a file holds n samples. */
  private static OptionalLong lengthOf(TensorEntry tensor, Batching batching) {
    List<Long> sizes = tensor.shape();
    boolean row = sizes.size() == 2 && (sizes.get(0) == 1 || batching == Batching.MANY);
    return sizes.size() == 1 || row
        ? OptionalLong.of(sizes.get(sizes.size() - 1))
        : OptionalLong.empty();
  }

  private Finding error(String code, String wanted, String actual) {
    return Finding.of(code, Severity.ERROR, file.name(), wanted, actual);
  }

  private static String textOf(List<TensorEntry> tensors) {
    return tensors.size() == 1
        ? " " + ShapeRun.textOf(tensors.get(0).shape())
        : " with " + tensors.size() + " tensors";
  }
}
