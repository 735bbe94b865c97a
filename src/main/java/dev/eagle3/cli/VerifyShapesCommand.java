package dev.eagle3.cli;

import static dev.eagle3.verify.prepared.PreparedDataRequest.MANY_BYTES;

import dev.eagle3.cause.Diagnoser;
import dev.eagle3.cause.Diagnosis;
import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.profile.LayersParser;
import dev.eagle3.report.TextReport;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.Schema;
import dev.eagle3.verify.Schemas;
import dev.eagle3.verify.law.LawRequest;
import dev.eagle3.verify.prepared.PreparedDataRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks saved tensor files. */
@Command(
    name = "verify-shapes",
    description = {
      "Check saved hidden states: [tokens, hidden size] for each layer, and the cause of what is"
          + " wrong. Reads headers only: on a host by ranged reads, without copying the files."
          + " With --deep also the values."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 verify-shapes --host root@gpu7",
      "  eagle3 verify-shapes root@gpu7:/data/hidden_states",
      "  eagle3 verify-shapes --deep=10%% root@gpu7:/data/hidden_states",
      "  eagle3 verify-shapes --layers 2 30 58 60 --hidden-size 7168 data_0.pt",
      "  eagle3 verify-shapes root@gpu7:/data/hidden_states --model /shared/kimi-k2.5-int4",
      "  eagle3 verify-shapes root@gpu7:/data/hidden_states --quarantine /data/hidden_states.bad",
      "",
      "Exit codes: 0 all good, 16 something is wrong (also when it was moved to quarantine), 2"
          + " usage, 3 a local file cannot be read, 11 refused (too much for --deep, or nothing was"
          + " moved), 12 unreachable, 17 connection lost, 130 interrupted."
    })
final class VerifyShapesCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin DeepOptions deep = new DeepOptions();

  @Mixin BadFileOptions badFiles = new BadFileOptions();

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN|PATH",
      description = "A run (default: latest), or files and folders; [user@]host:PATH is remote.")
  List<String> targets = new ArrayList<>();

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
      description = "The model, on the machine of the files: its config.json says the sizes.")
  @Nullable String modelPath;

  @Option(
      names = "--model",
      paramLabel = "DIR",
      description = {
        "The model that the states come from, on the machine of the files. Reads rows of each file"
            + " (256 MiB at the most) and 5 MiB of the model, and tests whether the last layer"
            + " predicts the file's own tokens."
      })
  @Nullable String model;

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

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  VerifyShapesCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  boolean listsAllFiles() {
    return badFiles.only != null;
  }

  @Override
  Exit run(EventSink all) {
    EventSink sink = badFiles.listed(all);
    Expectation flags = flags();
    List<String> named = targets.isEmpty() ? List.of("latest") : targets;
    Hosts hosts = hosts(connection, sink);
    Instant started = surroundings().clock().instant();
    try (Place place =
        Place.open(named, Optional.ofNullable(stateDir), hosts, connection.given(), sink)) {
      badFiles.check(place, surroundings(), deep.yes);
      int inFlight =
          place.host() == null ? FolderVerifier.IN_FLIGHT_LOCAL : FolderVerifier.IN_FLIGHT_REMOTE;
      try {
        Diagnoser diagnoser =
            new Diagnoser(
                place.files(), deep.inFlight(place, inFlight), deep.verifier(place, sink), sink);
        if (preparedData != null) {
          diagnoser.with(new PreparedDataRequest(preparedData, MANY_BYTES, true, true));
        }
        Diagnosis diagnosis = diagnoser.diagnose(place.paths(), sources(flags, place), laws());
        long seconds = Duration.between(started, surroundings().clock().instant()).toSeconds();
        String where =
            place.shown(place.paths().get(0))
                + (place.paths().size() > 1 ? " and " + (place.paths().size() - 1) + " more" : "");
        sink.emit(diagnosis.result().summary(seconds, where));
        TerminalQuestioner questioner =
            new TerminalQuestioner(surroundings(), deep.yes, this::flush);
        badFiles.moveBad(place, surroundings(), diagnosis.result().files(), questioner, sink);
        return diagnosis.exit();
      } catch (IOException unreadable) {
        throw unreadable(place, unreadable);
      }
    }
  }

  /** With a model only if it was named: that of a run may have been captured far from its end. */
  private Optional<LawRequest> laws() {
    return model != null || deep.isAsked()
        ? Optional.of(new LawRequest(Optional.ofNullable(model)))
        : Optional.empty();
  }

  private ExpectationSources sources(Expectation flags, Place place) {
    String config = modelPath == null ? model : modelPath;
    if (place.plan().isPresent() && config == null) {
      return ExpectationSources.ofRun(flags, place.plan().get());
    }
    Optional<String> folder =
        place.paths().size() == 1 ? Optional.of(place.paths().get(0)) : Optional.empty();
    return new ExpectationSources(flags, place.plan(), Optional.ofNullable(config), folder);
  }

  private Expectation flags() {
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
    return dtype == null ? said : said.withDtype(dtype, "--dtype");
  }

  private static Failure unreadable(Place place, IOException trouble) {
    return place.host() == null
        ? Failure.of(Exit.LOCAL_FILE, "files", String.valueOf(trouble.getMessage()))
            .causedBy(trouble)
        : Failure.of(Exit.LOST, place.shown(""), "the connection was lost: " + trouble.getMessage())
            .causedBy(trouble);
  }
}
