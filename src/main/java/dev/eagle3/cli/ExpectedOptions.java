package dev.eagle3.cli;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.profile.LayersParser;
import dev.eagle3.verify.Schema;
import dev.eagle3.verify.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the command line says of the files that are to be verified. */
final class ExpectedOptions {
  /** What layers are saved in, in the words of torch. */
  private static final List<String> DTYPES =
      List.of("bfloat16", "float16", "float32", "float64", "float8_e4m3fn", "float8_e5m2");

  @Option(
      names = {"--layers", "--layer-ids"},
      paramLabel = "ID",
      parameterConsumer = LayerWords.class,
      description = "Layer ids that every sample should hold: 2 30 58 60.")
  List<String> layers = new ArrayList<>();

  @Option(
      names = "--hidden-size",
      paramLabel = "H",
      description = "Hidden size of the model, when its config.json is not at hand.")
  @Nullable Long hiddenSize;

  @Option(
      names = "--model-path",
      paramLabel = "DIR",
      description =
          "The model, on the machine of the files (PATH or host:PATH): its config.json says the"
              + " sizes.")
  @Nullable String modelPath;

  @Option(
      names = "--dtype",
      paramLabel = "DTYPE",
      description = "Dtype of the layers, as torch says it: bfloat16.")
  @Nullable String dtype;

  @Option(
      names = "--schema",
      paramLabel = "NAME",
      description =
          "How the files are laid out, where one name could mean two things:"
              + " speculators-list, vllm-connector, specforge-eagle3, modelopt-hf, …")
  @Nullable String schema;

  @Option(
      names = "--prepared-data",
      paramLabel = "FILE",
      description =
          "The tokenized samples (JSON Lines), on the machine of the files: says which of its rows"
              + " have no file, and which files are of none, by their token ids.")
  @Nullable String preparedData;

  /**
   * What these say.
   *
   * @throws Failure {@code USAGE}
   */
  Expectation flags() {
    Expectation said = Expectation.NONE;
    if (!layers.isEmpty()) {
      LayersParser.Parsed parsed = LayersParser.parse(layers);
      if (!parsed.problems().isEmpty()) {
        throw Failure.of(Exit.USAGE, "--layers", String.join("; ", parsed.problems()))
            .orTry("--layers 2 30 58 60");
      }
      said = said.withLayers(parsed.ids().size(), "--layers");
    }
    if (hiddenSize != null) {
      if (hiddenSize < 1) {
        throw Failure.of(Exit.USAGE, "--hidden-size", "is " + hiddenSize + ", must be 1 or more");
      }
      said = said.withHiddenSize(hiddenSize, "--hidden-size");
    }
    if (schema != null) {
      if (Schemas.named(schema).isEmpty()) {
        String known = Schemas.KNOWN.stream().map(Schema::name).collect(Collectors.joining(", "));
        throw Failure.of(
            Exit.USAGE,
            "--schema",
            "\"" + Printable.line(schema, 60) + "\" is not one of " + known);
      }
      said = said.withSchema(schema, "--schema");
    }
    if (dtype != null && !DTYPES.contains(dtype)) {
      throw Failure.of(
              Exit.USAGE,
              "--dtype",
              "\"" + Printable.line(dtype, 60) + "\" is not one of " + String.join(", ", DTYPES))
          .orTry("--dtype " + DTYPES.get(0));
    }
    return dtype == null ? said : said.withDtype(dtype, "--dtype");
  }
}
