package dev.eagle3.cli;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.report.TextReport;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStateReader;
import dev.eagle3.run.RunStatus;
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
      "Exit codes: 0 running or finished well, 13 the run failed, 11 no such run, 12"
          + " unreachable, 17 connection lost."
    })
final class StatusCommand extends ReportingCommand {
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  @Mixin RunOptions named = new RunOptions();

  StatusCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.ANSWER);
  }

  @Override
  Exit run(EventSink sink) {
    Hosts hosts = new Hosts(surroundings(), connection, sink);
    String name = hosts.nameOfRuns();
    String id = named.name();
    try (Host host = hosts.connect(name)) {
      RunStatus status = RunStateReader.read(new HostScripts(host, hosts.words(name, named.stateFolder())), named.stateFolder(), id);
      RunState state = status.state();
      sink.emit(state.toEvent(status.folder().run()));
      if (!state.hasEnded()) {
        sink.emit(
            new Event.Hint(
                "follow it",
                "eagle3 tail-log "
                    + status.folder().run()
                    + " "
                    + hosts.words(name, named.stateFolder())));
        return Exit.DONE;
      }
      return state.exit();
    }
  }
}
