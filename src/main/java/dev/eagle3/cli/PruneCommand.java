package dev.eagle3.cli;

import dev.eagle3.extract.AsideJudge;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.output.AsideFolder;
import dev.eagle3.output.OutputNotesReader;
import dev.eagle3.plan.RunId;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.RunLister;
import dev.eagle3.run.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes what was set aside. */
@Command(
    name = "prune",
    description = {
      "List what runs set aside on a host (earlier output, output of runs that were undone, bad"
          + " files), and delete it after asking. What may be the only good copy is deleted only"
          + " when its run is named; what belongs to a run that lives never is."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 prune --host root@gpu7 --dry-run",
      "  eagle3 prune --host root@gpu7 --older-than 7d",
      "  eagle3 prune 20261129-170512-1a2b --host root@gpu7 --yes",
      "",
      "Exit codes: 0 deleted, or nothing to delete, 11 refused (you did not agree, nobody could be"
          + " asked, or a folder is not the one that was noted), 2 usage, 12 unreachable, 17"
          + " connection lost."
    })
final class PruneCommand extends ReportingCommand {
  private static final int MOST_RUNS = 100_000;

  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Parameters(
      arity = "0..*",
      paramLabel = "RUN",
      description = "Only what was set aside for these runs (default: for all).")
  List<String> runs = new ArrayList<>();

  @Option(
      names = "--older-than",
      paramLabel = "7d",
      description = "Only what was set aside that long ago: days, hours (12h) or minutes (30m).")
  @Nullable String olderThan;

  @Option(
      names = "--runs",
      description =
          "Also delete plans and logs of runs that are over and have nothing set aside. Without"
              + " RUN or --older-than those of the newest run stay.")
  boolean alsoRuns;

  @Option(names = "--dry-run", description = "List, and delete nothing.")
  boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Answer yes before anything is deleted.")
  boolean yes;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  PruneCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    List<RunId> named = named();
    Duration age = olderThan == null ? Duration.ZERO : Age.parse("--older-than", olderThan);
    Hosts hosts = hosts(connection, sink);
    String name = hosts.nameOfRuns();
    Optional<String> state = Optional.ofNullable(stateDir);
    try (Host host = hosts.connect(name)) {
      HostScripts scripts = new HostScripts(host, hosts.words(name, state));
      OutputNotesReader.Listing listing = OutputNotesReader.list(scripts, state);
      AsideJudge judge = new AsideJudge(scripts, state, listing.notes());
      List<AsideFolder> chosen = choose(listing.folders(), judge, named, age, sink);
      List<RunId> old = alsoRuns ? oldRuns(scripts, state, judge, named, age) : List.of();
      if (chosen.isEmpty() && old.isEmpty()) {
        sink.emit(new Event.Check("output", "prune", "note", nothing(named) + " on " + name));
        return Exit.DONE;
      }
      if (dryRun) {
        return Exit.DONE;
      }
      String question = question(chosen, old, judge, named) + " on " + name + "?";
      if (!new TerminalQuestioner(surroundings(), yes, this::flush).agrees(question)) {
        throw Failure.of(Exit.REFUSED, name, "you did not agree; nothing was deleted");
      }
      AsideDeleter deleter = new AsideDeleter(scripts, state, sink);
      return deleter.delete(chosen, old, listing.freeBytes());
    }
  }

  private static String nothing(List<RunId> named) {
    return named.isEmpty()
        ? "nothing to delete"
        : "nothing to delete for run "
            + String.join(", ", named.stream().map(RunId::text).toList());
  }

  private List<RunId> named() {
    List<RunId> named = new ArrayList<>();
    for (String run : runs) {
      if (!RunId.isRunId(run)) {
        throw Failure.of(Exit.USAGE, run, "is no run: an id like 20261129-170512-1a2b is wanted")
            .orTry("eagle3 prune --host HOST --dry-run");
      }
      named.add(new RunId(run));
    }
    return named;
  }

  /** Those that are to be deleted; tells all of them, with what becomes of each. */
  private List<AsideFolder> choose(
      List<AsideFolder> folders,
      AsideJudge judge,
      List<RunId> named,
      Duration age,
      EventSink sink) {
    long now = surroundings().clock().instant().getEpochSecond();
    List<AsideFolder> chosen = new ArrayList<>();
    for (AsideFolder folder : folders) {
      if (!named.isEmpty() && !named.contains(folder.run())) {
        continue;
      }
      long seconds = folder.sinceSeconds() == 0 ? -1 : Math.max(0, now - folder.sinceSeconds());
      AsideJudge.Judgement judgement =
          seconds < age.toSeconds()
              ? new AsideJudge.Judgement(false, "it is younger than " + olderThan)
              : judge.judge(folder, !named.isEmpty());
      sink.emit(
          event(folder, seconds, judgement.deletable() ? "chosen" : "stays", judgement.why()));
      if (judgement.deletable()) {
        chosen.add(folder);
      }
    }
    return chosen;
  }

  private static Event.Aside event(
      AsideFolder folder, long ageSeconds, String verdict, String why) {
    return new Event.Aside(
        folder.run().text(),
        folder.kind().says(),
        folder.path(),
        folder.amount().bytes().orElse(-1),
        folder.amount().entries().orElse(-1),
        ageSeconds,
        verdict,
        why);
  }

  private List<RunId> oldRuns(
      HostScripts scripts,
      Optional<String> state,
      AsideJudge judge,
      List<RunId> named,
      Duration age) {
    List<RunStatus> all = RunLister.list(scripts, state, MOST_RUNS).runs();
    List<RunId> old = new ArrayList<>();
    for (int index = 0; index < all.size(); index++) {
      RunId run = all.get(index).folder().run();
      boolean wanted = named.isEmpty() ? index > 0 || !age.isZero() : named.contains(run);
      if (wanted && isOlder(run, age) && judge.isOver(run)) {
        old.add(run);
      }
    }
    return old;
  }

  /** By the time in its id. */
  private boolean isOlder(RunId run, Duration age) {
    return age.isZero()
        || run.compareTo(RunId.of(surroundings().clock().instant().minus(age), 0)) < 0;
  }

  private static String question(
      List<AsideFolder> chosen, List<RunId> old, AsideJudge judge, List<RunId> named) {
    List<String> steps = new ArrayList<>();
    for (AsideFolder folder : chosen) {
      String against = judge.judge(folder, !named.isEmpty()).why();
      steps.add(
          Printable.line(folder.path(), 300)
              + folder.amount().says()
              + (against.isEmpty() ? "" : " (" + against + ")"));
    }
    if (!old.isEmpty()) {
      steps.add("plans and logs of " + old.size() + (old.size() == 1 ? " run" : " runs"));
    }
    return "delete " + String.join("; ", steps);
  }
}
