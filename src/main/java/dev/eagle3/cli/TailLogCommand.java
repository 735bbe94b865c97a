package dev.eagle3.cli;

import dev.eagle3.cause.EndedLogReader;
import dev.eagle3.cause.FailedRunExplainer;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.log.LogReader;
import dev.eagle3.log.TailStartFinder;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.RunId;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import dev.eagle3.watch.LogLook;
import dev.eagle3.watch.LogLooker;
import dev.eagle3.watch.RunWatcher;
import dev.eagle3.watch.SampleWatch;
import dev.eagle3.watch.Watched;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Follows the log of a run, or of a job that was started by hand. */
@Command(
    name = "tail-log",
    description = {
      "Follow the log of a run, from its start or from its last lines, until the run ends. Bad"
          + " samples that it saves meanwhile are said on stderr.",
      "With a path: the log of a job that was not started by eagle3 (nohup python ... > LOG 2>&1"
          + " &), until no process has it open for writing. What the job saves is verified too,"
          + " where its command line or --output-dir says where that is."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 tail-log --host root@gpu7",
      "  eagle3 tail-log 20261129-170512-1a2b --host root@gpu7 -n 50",
      "  eagle3 tail-log root@gpu7:/root/eagle3-train/extract_debug.log",
      "",
      "Exit codes: 0 the run ended well, 13 it failed, 16 it ended well and its log says that"
          + " samples are missing, or eagle3 ended it for bad ones, 14 Ctrl-C (the run goes on), 11"
          + " no such run or log, 12 unreachable, 17 connection lost (the run goes on).",
      "Of a log by its path, as no exit code is known: 0 its log says that the work is done, 13 it"
          + " shows an error or ends without that, 16 something saved is wrong, 14 Ctrl-C, or"
          + " nobody can say whether the job goes on, 3 no such local log."
    })
final class TailLogCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "RUN|PATH",
      defaultValue = RunStateReader.LATEST,
      description =
          "Id of a run, or latest (the default); or a log, [user@]host:PATH, and any path with"
              + " --host.")
  String named = RunStateReader.LATEST;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  @Option(
      names = "--output-dir",
      paramLabel = "DIR",
      description =
          "Of a log by its path: where the job saves its samples (default: as the command line of"
              + " the process that writes the log says).")
  @Nullable String outputDir;

  @Option(
      names = "--extractor",
      paramLabel = "NAME|FILE",
      description =
          "Of a log by its path: what the script is, a built-in extractor or a YAML file (default:"
              + " the one whose flags its command line has).")
  @Nullable String extractor;

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "LINES",
      description = "Begin with the last LINES lines (default: the whole log).")
  @Nullable Long lines;

  TailLogCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.LOG);
  }

  @Override
  Exit run(EventSink sink) {
    if (lines != null && lines < 0) {
      throw Failure.of(Exit.USAGE, "-n", "is " + lines + ", must be 0 or more");
    }
    Target target = Target.parse(named, connection.given());
    Hosts hosts = hosts(connection, sink);
    Interruptions interruptions = interruptions(sink);
    if (target instanceof Target.Run run) {
      refuseForRun("--output-dir", outputDir);
      refuseForRun("--extractor", extractor);
      String name = hosts.nameOfRuns();
      Optional<String> state = Optional.ofNullable(stateDir);
      try (Host host = hosts.connect(name)) {
        HostScripts scripts = new HostScripts(host, hosts.words(name, state));
        String id = run.id().map(RunId::text).orElse(RunStateReader.LATEST);
        return followRun(
            scripts, RunStateReader.read(scripts, state, id).folder(), interruptions, sink);
      } catch (IOException lost) {
        throw unreadable(name, lost);
      }
    }
    boolean local = target instanceof Target.Local;
    String name = target instanceof Target.Remote there ? there.host() : Hosts.LOCAL;
    try (Host host = hosts.connect(name)) {
      return followPath(
          hosts,
          new HostScripts(host, hosts.words(name, Optional.empty())),
          target instanceof Target.Remote there
              ? Place.absolute(host, List.of(there.path())).get(0)
              : Path.of(named).toAbsolutePath().normalize().toString(),
          local ? Exit.LOCAL_FILE : Exit.REFUSED,
          interruptions,
          sink);
    } catch (IOException lost) {
      throw unreadable(name, lost);
    }
  }

  private static Failure unreadable(String name, IOException lost) {
    return Failure.of(Exit.LOST, name, "the log cannot be read: " + lost.getMessage())
        .causedBy(lost);
  }

  private void refuseForRun(String option, @Nullable String given) {
    if (given != null) {
      throw Failure.of(Exit.USAGE, option, "is for a log by its path; a run has its own")
          .orTry("eagle3 tail-log HOST:/path/of/the.log " + option + " " + ShellQuote.word(given));
    }
  }

  private Exit followRun(
      HostScripts scripts, RunFolder folder, Interruptions interruptions, EventSink sink)
      throws IOException {
    Host host = scripts.host();
    LaunchedPlan launched = LaunchedPlan.read(host.files(), folder, sink);
    long start = start(host, folder.log());
    RunWatcher watcher =
        new RunWatcher(
            scripts, folder, launched.rules(), sink, launched.plan().map(SampleWatch::reporting));
    interruptions.stopWith(watcher::stop);
    whenNobodyReads(watcher::stop);
    String comeBack = scripts.comeBack("tail-log " + folder.run());
    Watched watched = watch(watcher, start, comeBack);
    if (watched.stopped()) {
      sink.emit(new Event.Hint("the run goes on; come back with", comeBack));
      return Exit.STOPPED_WATCHING;
    }
    LogReader log = start > 0 ? whole(host, watched, launched, sink) : watched.log();
    return new FailedRunExplainer(scripts, sink).explain(watched.last(), log, launched.plan());
  }

  private static Watched watch(RunWatcher watcher, long start, String comeBack) {
    try {
      return watcher.watch(start);
    } catch (Failure failure) {
      throw failure.exit() == Exit.LOST ? failure.orTry(comeBack) : failure;
    }
  }

  private Exit followPath(
      Hosts hosts,
      HostScripts scripts,
      String path,
      Exit missing,
      Interruptions interruptions,
      EventSink sink)
      throws IOException {
    Optional<Extractor> program = Optional.ofNullable(extractor).map(Plans::extractor);
    LogLook look = LogLooker.look(scripts, path, List.of());
    refuse(scripts, path, look, missing);
    Optional<RunFolder> run = runOf(scripts, look);
    if (run.isPresent()) {
      sink.emit(
          new Event.Check(
              "run", "log", "note", "this is the log of run " + run.get().run() + " of eagle3"));
      String name = scripts.host().name();
      String words = hosts.words(name, Optional.of(run.get().stateDir()));
      return followRun(new HostScripts(scripts.host(), words), run.get(), interruptions, sink);
    }
    Optional<String> output = Optional.ofNullable(outputDir).map(dir -> absolute(scripts, dir));
    LogPathFollower follower =
        new LogPathFollower(
            scripts, path, program, output, comeBack(scripts, path), sink, surroundings().clock());
    return follower.follow(
        look,
        start(scripts.host(), path),
        stop -> {
          interruptions.stopWith(stop);
          whenNobodyReads(stop);
        });
  }

  private String comeBack(HostScripts scripts, String path) {
    return scripts.comeBack(
        "tail-log "
            + ShellQuote.word(path)
            + (outputDir == null ? "" : " --output-dir " + ShellQuote.word(outputDir))
            + (extractor == null ? "" : " --extractor " + ShellQuote.word(extractor)));
  }

  private static String absolute(HostScripts scripts, String folder) {
    if (folder.isBlank()) {
      throw Failure.of(Exit.USAGE, "--output-dir", "names no folder");
    }
    return scripts.host().name().equals(Hosts.LOCAL)
        ? Path.of(folder).toAbsolutePath().normalize().toString()
        : Place.absolute(scripts.host(), List.of(folder)).get(0);
  }

  private static void refuse(HostScripts scripts, String path, LogLook look, Exit missing) {
    String shown = missing == Exit.LOCAL_FILE ? path : scripts.host().name() + ":" + path;
    switch (look.is()) {
      case LOG -> {}
      case MISSING ->
          throw Failure.of(missing, shown, "there is no such log")
              .orTry(
                  "the path behind > in the line that started the job; "
                      + scripts.comeBack("runs")
                      + " for runs of eagle3");
      case OTHER -> throw Failure.of(missing, shown, "is no regular file, and no log");
      case UNREADABLE ->
          throw Failure.of(missing, shown, "may not be read by " + look.user())
              .orTry("log in as whoever started the job");
    }
  }

  /** The log of a run, also by a link to it, is followed as that. */
  private static Optional<RunFolder> runOf(HostScripts scripts, LogLook look) {
    String folder = look.real().endsWith("/log") ? look.real().replaceFirst("/log$", "") : "";
    String id = folder.substring(folder.lastIndexOf('/') + 1);
    if (!folder.endsWith("/runs/" + id) || !RunId.isRunId(id)) {
      return Optional.empty();
    }
    String state = new RunFolder(folder).stateDir();
    return RunStateReader.find(scripts, Optional.of(state), id).map(RunStatus::folder);
  }

  /** What its first lines say too; those that were followed must do where it cannot be read. */
  private static LogReader whole(
      Host host, Watched watched, LaunchedPlan launched, EventSink sink) {
    try {
      return EndedLogReader.read(host, watched.last(), launched.rules());
    } catch (IOException unreadable) {
      sink.emit(
          new Event.Check(
              "run",
              "log",
              "warning",
              "what it said before cannot be read: " + unreadable.getMessage()));
      return watched.log();
    }
  }

  private long start(Host host, String log) throws IOException {
    if (lines == null) {
      return 0;
    }
    Optional<FileStat> stat = host.files().stat(log);
    return stat.isEmpty()
        ? 0
        : TailStartFinder.find(RangedBytes.of(host.files(), stat.get()), lines);
  }
}
