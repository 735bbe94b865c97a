package dev.eagle3.cli;

import dev.eagle3.cause.EndedLogReader;
import dev.eagle3.cause.FailedRunExplainer;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.log.TailStartFinder;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.watch.RunWatcher;
import dev.eagle3.watch.SampleWatch;
import dev.eagle3.watch.Watched;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Follows the log of a run. */
@Command(
    name = "tail-log",
    description = {
      "Follow the log of a run, from its start or from its last lines, until the run ends. Bad"
          + " samples that it saves meanwhile are said on stderr."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 tail-log --host root@gpu7",
      "  eagle3 tail-log 20261129-170512-1a2b --host root@gpu7 -n 50",
      "",
      "Exit codes: 0 the run ended well, 13 it failed, 16 it ended well and its log says that"
          + " samples are missing, or eagle3 ended it for bad ones, 14 Ctrl-C (the run goes on), 11"
          + " no such run, 12 unreachable, 17 connection lost (the run goes on)."
    })
final class TailLogCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin RunOptions named = new RunOptions();

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
    Hosts hosts = hosts(connection, sink);
    String name = hosts.nameOfRuns();
    String id = named.name();
    Interruptions interruptions = Interruptions.listen();
    try (Host host = hosts.connect(name)) {
      HostScripts scripts = new HostScripts(host, hosts.words(name, named.stateFolder()));
      RunFolder folder = RunStateReader.read(scripts, named.stateFolder(), id).folder();
      LaunchedPlan launched = LaunchedPlan.read(host.files(), folder, sink);
      long start = start(host, folder);
      RunWatcher watcher =
          new RunWatcher(
              scripts, folder, launched.rules(), sink, launched.plan().map(SampleWatch::reporting));
      interruptions.stopWith(watcher::stop);
      whenNobodyReads(watcher::stop);
      String comeBack =
          "eagle3 tail-log " + folder.run() + " " + hosts.words(name, named.stateFolder());
      Watched watched = watch(watcher, start, comeBack);
      if (watched.stopped()) {
        sink.emit(new Event.Hint("the run goes on; come back with", comeBack));
        return Exit.STOPPED_WATCHING;
      }
      boolean unread = start > 0;
      LogReader log =
          unread ? EndedLogReader.read(host, watched.last(), launched.rules()) : watched.log();
      return new FailedRunExplainer(scripts, sink).explain(watched.last(), log, launched.plan());
    } catch (IOException lost) {
      throw Failure.of(Exit.LOST, name, "the log cannot be read: " + lost.getMessage())
          .causedBy(lost);
    }
  }

  private static Watched watch(RunWatcher watcher, long start, String comeBack) {
    try {
      return watcher.watch(start);
    } catch (Failure failure) {
      throw failure.exit() == Exit.LOST ? failure.orTry(comeBack) : failure;
    }
  }

  private long start(Host host, RunFolder folder) throws IOException {
    if (lines == null) {
      return 0;
    }
    Optional<FileStat> log = host.files().stat(folder.log());
    return log.isEmpty() ? 0 : TailStartFinder.find(RangedBytes.of(host.files(), log.get()), lines);
  }
}
