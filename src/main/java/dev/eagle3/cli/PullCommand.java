package dev.eagle3.cli;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.report.TextReport;
import dev.eagle3.transfer.PullRequest;
import dev.eagle3.transfer.PullResult;
import dev.eagle3.transfer.Puller;
import java.io.IOException;
import java.nio.file.Path;
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

/** Brings files home. */
@Command(
    name = "pull",
    description = {
      "Bring files home: under a temporary name, checked, then renamed. What was interrupted goes"
          + " on where it stopped; a file that is home already is left as it is."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 pull --host root@gpu7 --to hidden_states",
      "  eagle3 pull root@gpu7:/data/hidden_states/data_0.pt --to .",
      "",
      "Exit codes: 0 all home, 15 some are not, 16 home but broken on the host too, 2"
          + " usage, 3 the local folder cannot be written, 12 unreachable, 17 connection"
          + " lost."
    })
final class PullCommand extends ReportingCommand {
  private static final int MOST_FILES = 1_000_000;

  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN|PATH",
      description = "A run (default: latest), or files and folders of a host: host:PATH.")
  List<String> targets = new ArrayList<>();

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "Local folder; made when it is not there.")
  @SuppressWarnings("NullAway.Init") // picocli sets it, as it is required
  Path to;

  @Option(
      names = "--overwrite",
      description = "Replace local files of the same name and other content.")
  boolean overwrite;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  PullCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  Exit run(EventSink sink) {
    List<String> named = targets.isEmpty() ? List.of("latest") : targets;
    Hosts hosts = hosts(connection, sink);
    Instant started = surroundings().clock().instant();
    try (Place place =
        Place.open(named, Optional.ofNullable(stateDir), hosts, connection.given(), sink)) {
      if (place.host() == null) {
        throw Failure.of(Exit.USAGE, named.get(0), "is a local path; pull takes files of a host")
            .orTry("eagle3 pull root@gpu7:" + named.get(0) + " --to DIR");
      }
      List<FileStat> files = files(place);
      PullResult result =
          new Puller(place.host().name(), place.files(), sink)
              .pull(new PullRequest(files, to, overwrite));
      long seconds = Duration.between(started, surroundings().clock().instant()).toSeconds();
      sink.emit(
          new Event.Summary(
              result.pulled() + result.equal(),
              result.total(),
              "files home",
              seconds,
              to.toString()));
      return result.exit();
    }
  }

  /** The files themselves, and those in folders; links are followed when they are named. */
  private static List<FileStat> files(Place place) {
    List<FileStat> files = new ArrayList<>();
    for (String path : place.paths()) {
      try {
        FileStat there =
            place
                .files()
                .stat(path)
                .orElseThrow(() -> Failure.of(Exit.TRANSFER, place.shown(path), "is not there"));
        if (there.kind() == FileKind.FOLDER) {
          place.files().list(path, MOST_FILES).stream()
              .filter(entry -> entry.kind() == FileKind.FILE)
              .forEach(files::add);
        } else if (there.kind() == FileKind.FILE) {
          files.add(there);
        } else {
          throw Failure.of(Exit.TRANSFER, place.shown(path), "is neither a file nor a folder");
        }
      } catch (IOException trouble) {
        throw Failure.of(
                Exit.TRANSFER, place.shown(path), "cannot be listed: " + trouble.getMessage())
            .causedBy(trouble);
      }
    }
    if (files.isEmpty()) {
      throw Failure.of(Exit.TRANSFER, place.shown(place.paths().get(0)), "holds no files");
    }
    return files;
  }
}
