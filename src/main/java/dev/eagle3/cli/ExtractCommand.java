package dev.eagle3.cli;

import dev.eagle3.extract.DryRun;
import dev.eagle3.extract.Extraction;
import dev.eagle3.extract.ExtractionRequest;
import dev.eagle3.extract.Questioner;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.preflight.PreflightRequest;
import dev.eagle3.report.TextReport;
import dev.eagle3.watch.OnBad;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The whole flow. */
@Command(
    name = "extract",
    description = {
      "Extract hidden states on a GPU host: check it, free the GPUs, set previous output aside,"
          + " launch the job detached, follow it to its end, and verify what it saved."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 extract --host root@gpu7 --layers 2 30 58 60",
      "  eagle3 extract --host root@gpu7 --layers 2 30 58 60 --dry-run",
      "  eagle3 extract --host gpu7 --profile my.yaml --detach",
      "  eagle3 extract --host gpu7 --profile my.yaml --replace",
      "  eagle3 extract --host gpu7 --profile my.yaml --skip model-shards",
      "  eagle3 extract --host gpu7 --layers 2,30,58,60 --pull home -- --seed 1",
      "",
      "Ctrl-C leaves the run alive and says how to come back; a second one ends eagle3 at once.",
      "",
      "Exit codes: 0 done and verified, 2 usage, 3 local file, 10 profile invalid, 11 refused"
          + " before anything was touched, 12 unreachable, 13 the run failed, 14 stopped watching,"
          + " 15 not all was pulled, 16 something saved is wrong (--on-bad may have ended the run"
          + " for it), 17 connection lost, 130 interrupted before anything was launched."
    })
final class ExtractCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();
  @Mixin JobOptions job = new JobOptions();
  @Mixin PlannedOptions planned = new PlannedOptions();

  @Option(
      names = "--dry-run",
      description =
          "Print every step as shell text, ready to paste into a shell on the host; connect to"
              + " nothing.")
  boolean dryRun;

  @Option(names = "--detach", description = "Return after the launch.")
  boolean detach;

  @Option(
      names = "--on-bad",
      paramLabel = "auto|stop|warn",
      converter = OnBadWord.class,
      description =
          "What becomes of the run when samples are bad while it is watched: auto ends it when"
              + " those of the first batch are damaged or show a cause, or when 3 of the last 10"
              + " have the wrong form; stop ends it for any; warn lets it go on (default: as the"
              + " profile says, which is auto).")
  @Nullable OnBad onBad;

  @Option(
      names = "--pull",
      paramLabel = "DIR",
      description = "Bring the files home when all of them are good.")
  @Nullable Path pull;

  @Option(
      names = {"-y", "--yes"},
      description = "Answer yes before processes or a run are ended or previous output is deleted.")
  boolean yes;

  ExtractCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  Exit run(EventSink sink) {
    Hosts hosts = hosts(connection, sink);
    PlannedJob launch =
        PlannedJob.of(job, connection, planned, hosts, surroundings(), PreflightRequest.SHORT);
    ExtractionRequest request =
        launch.request(detach, Optional.ofNullable(pull), Optional.ofNullable(onBad));
    String name = request.plan().host();
    if (dryRun) {
      DryRun.steps(request).forEach(sink::emit);
      return Exit.DONE;
    }
    Interruptions interruptions = interruptions(sink);
    Questioner terminal = new TerminalQuestioner(surroundings(), yes, this::flush);
    Questioner questioner = question -> interruptions.whileAsking(() -> terminal.agrees(question));
    try (Host host = launch.hosts().connect(name)) {
      Extraction extraction =
          new Extraction(host, request, sink, questioner, surroundings().clock());
      interruptions.stopWith(
          () -> {
            if (!extraction.stop()) {
              sink.emit(new Event.End(Exit.INTERRUPTED.code(), Exit.INTERRUPTED.meaning()));
              flush();
              interruptions.leaveNow();
            }
          });
      return extraction.run();
    }
  }
}
