package dev.eagle3.cli;

import dev.eagle3.extract.DryRun;
import dev.eagle3.extract.Extraction;
import dev.eagle3.extract.ExtractionRequest;
import dev.eagle3.extract.Questioner;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.host.Host;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Planner;
import dev.eagle3.plan.RunId;
import dev.eagle3.profile.Profile;
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
      "  eagle3 extract --host gpu7 --layers 2,30,58,60 --pull home -- --seed 1",
      "",
      "Ctrl-C leaves the run alive and says how to come back; a second one ends eagle3 at once.",
      "",
      "Exit codes: 0 done and verified, 2 usage, 3 local file, 10 profile invalid, 11"
          + " refused before anything was touched, 12 unreachable, 13 the run failed, 14"
          + " stopped watching, 15 not all was pulled, 16 something saved is wrong, 17"
          + " connection lost, 130 interrupted before anything was launched."
    })
final class ExtractCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();
  @Mixin JobOptions job = new JobOptions();

  @Option(
      names = "--dry-run",
      description =
          "Print every step as shell text, ready to paste into a shell on the host; connect to"
              + " nothing.")
  boolean dryRun;

  @Option(names = "--detach", description = "Return after the launch.")
  boolean detach;

  @Option(
      names = "--replace",
      description =
          "End my own live run in the same output folder first, after asking; what it saved becomes"
              + " previous output.")
  boolean replace;

  @Option(
      names = "--on-bad",
      paramLabel = "auto|stop|warn",
      converter = OnBadWord.class,
      description =
          "What becomes of the run when samples are bad while it is watched: auto ends it when those"
              + " of the first batch are damaged or show a cause, or when 3 of the last 10 have the"
              + " wrong form; stop ends it for any; warn lets it go on (default: auto).")
  OnBad onBad = OnBad.AUTO;

  @Option(
      names = "--pull",
      paramLabel = "DIR",
      description = "Bring the files home when all of them are good.")
  @Nullable Path pull;

  @Option(
      names = {"-y", "--yes"},
      description = "Answer yes before processes or a run are ended or previous output is deleted.")
  boolean yes;

  @Option(
      names = "--yes-remove",
      paramLabel = "DIR",
      description =
          "The output folder once more: set it aside although it holds files that are no"
              + " extraction output.")
  @Nullable String yesRemove;

  ExtractCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  Exit run(EventSink sink) {
    Profile profile = Plans.profile(job, connection, surroundings().environment());
    Extractor extractor = Plans.extractor(profile.extractor());
    RunId id = RunId.of(surroundings().clock().instant(), surroundings().salt().getAsInt());
    ExtractionPlan plan = Planner.plan(profile, extractor, id);
    if (yesRemove != null && !withoutSlash(yesRemove).equals(withoutSlash(plan.outputDir()))) {
      throw Failure.of(
              Exit.USAGE,
              "--yes-remove " + Printable.line(yesRemove, 200),
              "is not the output folder, which is " + Printable.line(plan.outputDir(), 200))
          .orTry("--yes-remove " + ShellQuote.word(plan.outputDir()));
    }
    Hosts hosts = hosts(connection, sink).through(profile.via());
    String name = plan.host();
    ExtractionRequest request =
        new ExtractionRequest(
            plan,
            extractor.log(),
            detach,
            Optional.ofNullable(pull),
            Optional.ofNullable(yesRemove),
            hosts.words(name, plan.stateDir()),
            extractor.outputs().resume(),
            replace,
            onBad);
    if (dryRun) {
      DryRun.steps(request).forEach(sink::emit);
      return Exit.DONE;
    }
    Interruptions interruptions = Interruptions.listen();
    Questioner terminal = new TerminalQuestioner(surroundings(), yes, this::flush);
    Questioner questioner = question -> interruptions.whileAsking(() -> terminal.agrees(question));
    try (Host host = hosts.connect(name)) {
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

  private static String withoutSlash(String path) {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
