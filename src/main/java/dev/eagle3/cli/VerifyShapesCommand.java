package dev.eagle3.cli;

import static dev.eagle3.verify.prepared.PreparedDataRequest.MANY_BYTES;

import dev.eagle3.cause.Diagnoser;
import dev.eagle3.cause.Diagnosis;
import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.report.TextReport;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.law.LawRequest;
import dev.eagle3.verify.prepared.PreparedDataRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  @Mixin ExpectedOptions expected = new ExpectedOptions();

  @Mixin DeepOptions deep = new DeepOptions();

  @Mixin BadFileOptions badFiles = new BadFileOptions();

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN|PATH",
      description = "A run (default: latest), or files and folders; [user@]host:PATH is remote.")
  List<String> targets = new ArrayList<>();

  @Option(
      names = "--model",
      paramLabel = "DIR",
      description = {
        "The model that the states come from, on the machine of the files: PATH or host:PATH."
            + " Reads rows of each file (256 MiB at the most) and 5 MiB of the model, and tests"
            + " whether the last layer predicts the file's own tokens."
      })
  @Nullable String model;

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
    ShareWord.refuseOthers(spec.commandLine().getParseResult().originalArgs());
    EventSink sink = badFiles.listed(all);
    Expectation flags = expected.flags();
    if (targets.isEmpty()
        && connection.given().isEmpty()
        && surroundings().variable(Hosts.DEFAULT_HOST).isEmpty()) {
      throw Failure.of(Exit.USAGE, "targets", "name no files, and --host no host of a run")
          .orTry("eagle3 verify-shapes FOLDER, or eagle3 verify-shapes --host root@gpu7");
    }
    List<String> named = targets.isEmpty() ? List.of("latest") : targets;
    Hosts hosts = hosts(connection, sink);
    Instant started = surroundings().clock().instant();
    Interruptions interruptions = interruptions(sink);
    try (Place place =
        Place.open(named, Optional.ofNullable(stateDir), hosts, connection.given(), sink)) {
      badFiles.check(place, surroundings(), deep.yes);
      Diagnosis diagnosis = diagnose(place, flags, interruptions, sink);
      List<FileVerdict> files = diagnosis.result().files();
      UnfinishedFiles.say(place.files(), files, surroundings().clock(), sink);
      long seconds = Duration.between(started, surroundings().clock().instant()).toSeconds();
      sink.emit(diagnosis.result().summary(seconds, where(place)));
      TerminalQuestioner terminal = new TerminalQuestioner(surroundings(), deep.yes, this::flush);
      badFiles.moveBad(
          place,
          surroundings(),
          files,
          question -> interruptions.whileAsking(() -> terminal.agrees(question)),
          sink);
      return diagnosis.exit();
    }
  }

  /** Blocks until all files are verified, or somebody has enough. */
  private Diagnosis diagnose(
      Place place, Expectation flags, Interruptions interruptions, EventSink sink) {
    EarlyEnd end = new EarlyEnd();
    interruptions.interruptThisThread(() -> end.because("interrupted"));
    whenNobodyReads(() -> end.because("nobody reads the output any more"));
    int inFlight =
        place.host() == null ? FolderVerifier.IN_FLIGHT_LOCAL : FolderVerifier.IN_FLIGHT_REMOTE;
    try {
      Diagnoser diagnoser =
          new Diagnoser(
              place.files(),
              deep.inFlight(place, inFlight),
              deep.verifier(place, sink),
              end.counting(sink));
      if (expected.preparedData != null) {
        String prepared = place.here("--prepared-data", expected.preparedData);
        diagnoser.with(new PreparedDataRequest(prepared, MANY_BYTES, true, true));
      }
      Diagnosis diagnosis = diagnoser.diagnose(place.paths(), sources(flags, place), laws(place));
      if (end.isWanted()) {
        throw end.failure(where(place));
      }
      return diagnosis;
    } catch (IOException trouble) {
      throw end.isWanted() ? end.failure(where(place)) : unreadable(place, trouble);
    } catch (RuntimeException trouble) {
      throw end.isWanted() ? end.failure(where(place)) : trouble;
    } finally {
      whenNobodyReads(() -> {});
      interruptions.holdOn();
      // Closing a connection, and asking, must not find it.
      Thread.interrupted();
    }
  }

  private static String where(Place place) {
    int more = place.paths().size() - 1;
    return place.shown(place.paths().get(0)) + (more > 0 ? " and " + more + " more" : "");
  }

  /** With a model only if it was named: that of a run may have been captured far from its end. */
  private Optional<LawRequest> laws(Place place) throws IOException {
    return model != null || deep.isAsked()
        ? Optional.of(new LawRequest(ModelFolder.find("--model", model, place)))
        : Optional.empty();
  }

  private ExpectationSources sources(Expectation flags, Place place) throws IOException {
    Optional<String> config = ModelFolder.find("--model-path", expected.modelPath, place);
    if (config.isEmpty()) {
      config = ModelFolder.find("--model", model, place);
    }
    if (place.plan().isPresent() && config.isEmpty()) {
      return ExpectationSources.ofRun(flags, place.plan().get());
    }
    Optional<String> folder =
        place.paths().size() == 1 ? Optional.of(place.paths().get(0)) : Optional.empty();
    return new ExpectationSources(flags, place.plan(), config, folder);
  }

  private static Failure unreadable(Place place, IOException trouble) {
    return place.host() == null
        ? Failure.of(Exit.LOCAL_FILE, "files", String.valueOf(trouble.getMessage()))
            .causedBy(trouble)
        : Failure.of(Exit.LOST, place.shown(""), "the connection was lost: " + trouble.getMessage())
            .causedBy(trouble);
  }
}
