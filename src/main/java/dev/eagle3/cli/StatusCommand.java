package dev.eagle3.cli;

import dev.eagle3.cause.EndedLogReader;
import dev.eagle3.cause.FailedRunExplainer;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
import dev.eagle3.watch.NoteTeller;
import java.io.IOException;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One run: what became of it. */
@Command(
    name = "status",
    description = "Say what became of a run.",
    footer = {
      "",
      "Examples:",
      "  eagle3 status --host root@gpu7",
      "  eagle3 status 20261129-170512-1a2b --host root@gpu7 --json",
      "",
      "Exit codes: 0 running or finished well, 13 the run failed, 16 its log says that samples are"
          + " missing, or eagle3 ended it for bad ones, 11 no such run, 12 unreachable, 17"
          + " connection lost."
    })
final class StatusCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin RunOptions named = new RunOptions();

  StatusCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    Hosts hosts = hosts(connection, sink);
    String name = hosts.nameOfRuns();
    String id = named.name();
    try (Host host = hosts.connect(name)) {
      HostScripts scripts = new HostScripts(host, hosts.words(name, named.stateFolder()));
      RunStatus status = RunStateReader.readWhole(scripts, named.stateFolder(), id);
      sink.emit(StateEvents.of(status, host.name(), surroundings().clock().instant()));
      new NoteTeller(sink, true).tell(status);
      return say(host, scripts, status, sink);
    }
  }

  private static Exit say(Host host, HostScripts scripts, RunStatus status, EventSink sink) {
    RunState state = status.state();
    String run = status.folder().run().text();
    if (state instanceof RunState.Running running && !running.stopped().isEmpty()) {
      sink.emit(
          new Event.Hint(
              "it goes on, on the host, with",
              "kill -CONT "
                  + running.stopped().stream()
                      .map(String::valueOf)
                      .collect(Collectors.joining(" "))));
    }
    if (!state.hasEnded()) {
      sink.emit(new Event.Hint("follow it", scripts.comeBack("tail-log " + run)));
      return Exit.DONE;
    }
    return explain(host, scripts, status, sink);
  }

  /** Reads the log of what failed; one that cannot be read explains nothing. */
  private static Exit explain(Host host, HostScripts scripts, RunStatus status, EventSink sink) {
    try {
      LaunchedPlan launched = LaunchedPlan.read(host.files(), status.folder(), sink);
      LogReader log = EndedLogReader.read(host, status, launched.rules());
      return new FailedRunExplainer(scripts, sink).explain(status, log, launched.plan());
    } catch (IOException unreadable) {
      sink.emit(
          new Event.Check(
              "run", "log", "warning", "the log cannot be read: " + unreadable.getMessage()));
      return status.state().exit();
    }
  }
}
